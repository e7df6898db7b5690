/** The composer's text box by its id: whoever closes something gives the focus back to it. */
export const COMPOSER_ID = "composer-text";

export function focusComposer(): void {
  document.getElementById(COMPOSER_ID)?.focus({ preventScroll: true });
}
