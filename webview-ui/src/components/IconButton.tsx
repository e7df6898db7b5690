import type { ComponentProps } from "react";
import { Icon } from "./Icon";

interface Props extends Omit<ComponentProps<"button">, "children"> {
  icon: string;
  /** accessible name and tooltip */
  label: string;
}

export function IconButton({ icon, label, className = "", ...rest }: Props) {
  return (
    <button type="button" title={label} aria-label={label} {...rest} className={`icon-button ${className}`}>
      <Icon name={icon} />
    </button>
  );
}
