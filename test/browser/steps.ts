import type { Locator, Page } from 'playwright-core';

/**
 * What somebody does in a window, counted: links, buttons and suggestions. Typing and choosing in a
 * field is no step.
 */
export class Steps {
  count = 0;
  private readonly start = performance.now();

  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }

  /** Follows a link of the navigation. */
  async open(address: string): Promise<void> {
    this.count++;
    await this.page.goto(address);
  }

  /** Seconds since the first step, those of the machine alone. */
  get seconds(): number {
    return (performance.now() - this.start) / 1000;
  }
}
