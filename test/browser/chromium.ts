import axe from 'axe-core';
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/**
 * Where Debian's packages put the browser. The one without windows comes first: the other opens one
 * for every page, with the parts around the page, and takes three times as much processor time.
 */
const PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export const BROWSER_PATH = process.env.BROWSER_PATH ?? PATHS.find(existsSync) ?? PATHS[0]!;

export const hasBrowser = existsSync(BROWSER_PATH);

/** Milliseconds that a step may take before it is said to fail, on a busy machine. */
const STEP_TIMEOUT = 30_000;

/** Starts the browser without a window. */
export const launch = (): Promise<Browser> => chromium.launch({ executablePath: BROWSER_PATH });

/** A window that notes what no page of the service may do. */
export interface WatchedContext {
  context: BrowserContext;
  page: Page;
  /** Requests to other servers, errors of scripts and of the console, and breaches of policies. */
  complaints: string[];
}

/** Opens a window. @param origin the only server that may be asked for anything */
export async function openContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedContext> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  context.setDefaultTimeout(STEP_TIMEOUT);
  const complaints: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol))
      complaints.push(`request to ${request.url()}`);
  });
  // Chromium reports breaches of the Content-Security-Policy as errors of the console.
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.type()} at ${message.page()?.url()}: ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(`error: ${error.error().message}`));
  return { context, page: await context.newPage(), complaints };
}

/** The rules of axe-core about colours, which alone differ between light and dark. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The findings of axe-core about the page as it is, light and dark, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const run = (rules: string[] | null) =>
    page.evaluate(
      (runOnly) => (window as unknown as { axe: typeof axe }).axe.run(runOnly === null ? {} : { runOnly }),
      rules,
    );
  const { violations } = await run(null);
  await page.emulateMedia({ colorScheme: 'dark' });
  violations.push(...(await run(COLOUR_RULES)).violations);
  await page.emulateMedia({ colorScheme: null });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id} (${help}) at ${String(target)}: ${html.slice(0, 200)}`),
  );
}
