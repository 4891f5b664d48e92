import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Environment } from '../../config/environment.js';
import type { Database } from '../../database/database.js';
import type { EditionContents } from '../edition-record.js';
import { RATE_COLUMNS, SERIES_COLUMNS } from './columns.js';
import { dataPackage, sourcesOf } from './data-package.js';
import { FolderWriter, type FileRecord } from './edition-file.js';
import type { EditionSeries, EditionSeriesValues } from './edition-series.js';
import { EditionSource } from './edition-source.js';
import { editionFolder, removeUnfinished, syncFolder, unfinishedFolder } from './folders.js';
import { ParquetFile } from './parquet-file.js';
import { PriceFiles } from './price-files.js';
import { readRateRows } from './rate-rows.js';
import { readme } from './readme.js';

/** What is to be made. */
export interface EditionTask {
  readonly number: number;
  readonly title: string;
  readonly revision: number;
}

/**
 * Makes the files of editions, aside, in a folder that gets its name when all is written. The bytes
 * depend on the data and the title alone: no ids, revisions, times or numbers of editions, one
 * order, and numbers as the service prints them.
 */
export class EditionMaker {
  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
  ) {}

  /**
   * @param confirm called before the folder gets its name: throws where another process has taken
   * over
   * @throws what reading and writing throw; then nothing is left
   */
  async make(
    { number, title, revision }: EditionTask,
    signal: AbortSignal,
    confirm: () => Promise<void>,
  ): Promise<EditionContents> {
    const { editionsFolder } = this.environment;
    removeUnfinished(editionsFolder);
    const path = unfinishedFolder(editionsFolder, number);
    mkdirSync(path, { recursive: true });
    const folder = new FolderWriter(path);
    try {
      const contents = await this.write(folder, title, revision, signal);
      syncFolder(path);
      await confirm();
      renameSync(path, editionFolder(editionsFolder, number));
      syncFolder(editionsFolder);
      return contents;
    } catch (error) {
      folder.close();
      rmSync(path, { recursive: true, force: true });
      throw error;
    }
  }

  private async write(
    folder: FolderWriter,
    title: string,
    revision: number,
    signal: AbortSignal,
  ): Promise<EditionContents> {
    const source = await EditionSource.open(this.database, this.environment, revision);
    const prices = new PriceFiles(folder);
    // Other work of the process, such as the heartbeats of the lock, gets its turn.
    const timeSlice = new TimeSlice(50);
    for await (const one of source.points(signal)) {
      prices.add(one);
      await timeSlice.yield();
    }
    const data = [
      ...prices.end(),
      writeSeries(folder, source.series),
      writeRates(folder, await readRateRows(this.database, revision)),
    ];
    const counts = { series: source.series.length, points: prices.points };
    const sources = sourcesOf(source.series.map(({ values }) => values));
    const described = [
      ...data,
      folder.writeText('datapackage.json', dataPackage(title, data, sources)),
      folder.writeText('README.txt', readme(title, counts, data, sources)),
    ];
    const sums = described.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
    return { ...counts, files: [...described, folder.writeText('SHA256SUMS', sums)] };
  }
}

function writeSeries(folder: FolderWriter, series: readonly EditionSeries[]): FileRecord {
  const file = new ParquetFile(folder.create('series.parquet'), SERIES_COLUMNS);
  for (const { values, extent } of series) {
    const counted = {
      ...values,
      first_date: extent && isoFromDay(extent.first),
      last_date: extent && isoFromDay(extent.last),
      points: extent?.points ?? 0,
    };
    file.add(SERIES_COLUMNS.map(({ name }) => counted[name as keyof EditionSeriesValues]));
  }
  return file.end();
}

function writeRates(folder: FolderWriter, rows: Awaited<ReturnType<typeof readRateRows>>): FileRecord {
  const file = new ParquetFile(folder.create('rates.parquet'), RATE_COLUMNS);
  for (const row of rows) file.add(row);
  return file.end();
}
