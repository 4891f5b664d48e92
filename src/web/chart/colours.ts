/** The grounds that charts stand on. */
export type Theme = 'light' | 'dark';

/** The colours of a drawing, as attributes of a file and as properties of the stylesheet. */
export interface ChartColours {
  readonly ground: string;
  readonly text: string;
  readonly muted: string;
  readonly rule: string;
  readonly band: string;
  readonly mark: string;
  /** Of lines, in their order. */
  readonly lines: readonly string[];
}

/**
 * Eight lines can be told apart by everyone: of each two, the CIEDE2000 difference is 12 at least,
 * also with protanopia, deuteranopia and tritanopia, and each has a contrast of 3:1 with its ground
 * (`colours.spec.ts`). They differ in lightness as much as in hue, so they print in grey as well.
 */
export const CHART_COLOURS: Readonly<Record<Theme, ChartColours>> = {
  light: {
    ground: '#ffffff',
    text: '#1b1f24',
    muted: '#57606a',
    rule: '#d5dae0',
    band: '#0072b2',
    mark: '#b3261e',
    lines: ['#0072b2', '#d55e00', '#4b072a', '#799467', '#141085', '#a37d93', '#1b4411', '#5a585f'],
  },
  dark: {
    ground: '#14181d',
    text: '#e8ebee',
    muted: '#a5afba',
    rule: '#38414b',
    band: '#56b4e9',
    mark: '#ff8f85',
    lines: ['#56b4e9', '#f08c46', '#f5d4a9', '#44835a', '#7861ce', '#8f7890', '#9cafa4', '#e20823'],
  },
};
