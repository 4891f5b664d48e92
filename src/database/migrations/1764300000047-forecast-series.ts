import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Forecasts are no longer stored among observed prices. A database that has such gets a change set
 * to move them, which the next start of the service carries out; a mirror follows its source.
 */
export class ForecastSeries1764300000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // An earlier release would store forecasts among observed prices.
    await runner.query('UPDATE data_revision SET oldest_writer = 1764300000047');
    const found = async (sql: string) => ((await runner.query(sql)) as unknown[]).length > 0;
    if (await found('SELECT id FROM mirror')) return;
    // One from an interrupted run of the migration stays.
    if (await found("SELECT id FROM change_set WHERE kind = 'record' AND state <> 'done'")) return;
    const forecasts = "comment = 'Forecast' OR comment LIKE 'Forecast;%'";
    if (!(await found(`SELECT 1 FROM observation WHERE ${forecasts} LIMIT 1`))) return;
    await runner.query(
      'INSERT INTO change_set (kind, state, started_at, reason)' +
        ` VALUES ('record', 'running', '${new Date().toISOString()}', 'Forecasts are series of their own')`,
    );
  }

  /** What was moved stays where it is. */
  async down(): Promise<void> {}
}
