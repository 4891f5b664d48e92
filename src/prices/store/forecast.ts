/** The comment that identifies a forecast; more may follow after a semicolon. */
export const FORECAST_COMMENT = 'Forecast';

/** Whether a point with this comment is a forecast. */
export function isForecast(comment: string | null): boolean {
  return comment === FORECAST_COMMENT || (comment?.startsWith(`${FORECAST_COMMENT};`) ?? false);
}
