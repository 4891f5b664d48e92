import type { Locator, Page } from 'playwright-core';

/** What somebody does in a window, counted: clicks, and fields that are filled in or chosen. */
export class Steps {
  clicks = 0;
  fields = 0;
  private readonly start = performance.now();

  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  /** Follows a link of the navigation. */
  async open(address: string): Promise<void> {
    this.clicks++;
    await this.page.goto(address);
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.fields++;
    await target.fill(text);
  }

  async chooseFile(target: Locator, name: string, content: string): Promise<void> {
    this.fields++;
    await target.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  }

  /** Chooses a value; nothing is done, and counted, where it is chosen already. */
  async choose(target: Locator, value: string): Promise<void> {
    if ((await target.inputValue()) === value) return;
    this.fields++;
    await target.selectOption(value);
  }

  get count(): number {
    return this.clicks + this.fields;
  }

  /** Seconds since the first step, those of the machine alone. */
  get seconds(): number {
    return (performance.now() - this.start) / 1000;
  }
}
