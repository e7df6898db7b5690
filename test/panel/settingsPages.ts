/** The six pages of settings: tabs beside the rows, or a choice above them where there is no room. */
import type { Page } from "playwright-core";

export async function showSettings(page: Page, name: string): Promise<void> {
  await page.locator(".settings-body").waitFor();
  const choice = page.locator(".settings-choice");
  if (await choice.isVisible()) await choice.selectOption({ label: name });
  else await page.getByRole("tab", { name, exact: true }).click();
}
