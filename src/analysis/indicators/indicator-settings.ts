import { monthNumber } from '../analysis.parameters.js';
import type { AlpsOptions, AlpsWindow } from '../methods/alps.js';
import type { IfpaMode } from '../methods/growth-rates.js';
import type { IfpaOptions } from '../methods/ifpa.js';
import type { Measure, Per } from '../price-columns.js';

/** The version of the methods: it grows when the same prices give other numbers. */
export const METHOD_VERSION = 1;

/** What indicators are calculated with, as replies repeat it. Months are written `YYYY-MM`. */
export interface IndicatorSettings {
  measure: Measure;
  per: Per;
  ifpa_mode: IfpaMode;
  history_from: string | null;
  alps_window: AlpsWindow;
  fit_until: string | null;
  break_date: string | null;
  gamma: number;
  ifpa_thresholds: [moderate: number, high: number];
  alps_thresholds: [stress: number, alert: number, crisis: number];
  allow_gaps: boolean;
}

/** What is used unless parameters say otherwise. */
export const DEFAULT_SETTINGS: IndicatorSettings = {
  measure: 'nominal',
  per: 'unit',
  ifpa_mode: 'standard',
  history_from: null,
  alps_window: 'realtime',
  fit_until: null,
  break_date: null,
  gamma: 0.4,
  ifpa_thresholds: [0.5, 1],
  alps_thresholds: [0.25, 1, 2],
  allow_gaps: false,
};

/** What IFPA is calculated with. */
export const ifpaOptionsOf = (settings: IndicatorSettings): IfpaOptions => ({
  mode: settings.ifpa_mode,
  historyFrom: monthOrNull(settings.history_from),
  gamma: settings.gamma,
  thresholds: settings.ifpa_thresholds,
  allowGaps: settings.allow_gaps,
});

/** What ALPS is calculated with. */
export const alpsOptionsOf = (settings: IndicatorSettings): AlpsOptions => ({
  window: settings.alps_window,
  fitUntil: monthOrNull(settings.fit_until),
  breakMonth: monthOrNull(settings.break_date),
  thresholds: settings.alps_thresholds,
});

const monthOrNull = (text: string | null) => (text === null ? null : monthNumber(text));
