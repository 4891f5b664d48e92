import { monthNumber } from '../analysis.parameters.js';
import { ALPS_WINDOWS, type AlpsOptions, type AlpsWindow } from '../methods/alps.js';
import { IFPA_MODES, type IfpaMode } from '../methods/growth-rates.js';
import type { IfpaOptions } from '../methods/ifpa.js';
import { type Measure, MEASURES, type Per, PER } from '../price-columns.js';
import { ArrayOf, OrNull } from '../../platform/validation/field.js';
import { Decimal, Flag, OneOf, Text } from '../../platform/validation/fields.js';

/** The version of the methods: it grows when the same prices give other numbers. */
export const METHOD_VERSION = 1;

/** What indicators are calculated with, as replies repeat it. Months are written `YYYY-MM`. */
export class IndicatorSettings {
  @OneOf(MEASURES) measure!: Measure;
  @OneOf(PER) per!: Per;
  @OneOf(IFPA_MODES) ifpa_mode!: IfpaMode;
  @OrNull(Text()) history_from!: string | null;
  @OneOf(ALPS_WINDOWS) alps_window!: AlpsWindow;
  @OrNull(Text()) fit_until!: string | null;
  @OrNull(Text()) break_date!: string | null;
  @Decimal() gamma!: number;
  @ArrayOf(Decimal()) ifpa_thresholds!: [moderate: number, high: number];
  @ArrayOf(Decimal()) alps_thresholds!: [stress: number, alert: number, crisis: number];
  @Flag() allow_gaps!: boolean;
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
