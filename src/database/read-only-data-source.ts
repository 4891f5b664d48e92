import { EntityManager, type DataSource, type QueryRunner } from 'typeorm';

/** A repository or a data source has been used to write, past the unit of work. */
class WriteOutsideUnitOfWork extends Error {
  constructor() {
    super(
      'Repositories only read here: write by UnitOfWork.run() or change(), with the manager of their transaction ' +
        '(insert(), update(), delete() and query builders, not save() or remove(), which begin transactions of their own).',
    );
    this.name = 'WriteOutsideUnitOfWork';
  }
}

/** Statements that change nothing. */
const READS = /^[\s(]*(?:SELECT|WITH|EXPLAIN|SHOW|DESC|DESCRIBE|PRAGMA|VALUES)\b/i;

/**
 * The data source that Nest gives to modules, over an open one: reads as that does, and rejects
 * writes with an error that says what to use. On SQLite a write would fail on the read-only
 * connection as if the disk were; on a server it would pass, without a revision or an audit row.
 */
export function readOnly(source: DataSource): DataSource {
  const reader = Object.create(source) as DataSource;
  const manager = new EntityManager(reader);
  Object.defineProperties(reader, {
    manager: { value: manager },
    createQueryRunner: {
      value: (mode?: Parameters<DataSource['createQueryRunner']>[0]) =>
        readOnlyRunner(source.createQueryRunner(mode)),
    },
    // Its owner closes it.
    destroy: { value: () => Promise.resolve() },
  });
  return reader;
}

function readOnlyRunner(runner: QueryRunner): QueryRunner {
  return new Proxy(runner, {
    get(target, name) {
      if (name === 'startTransaction') return () => Promise.reject(new WriteOutsideUnitOfWork());
      if (name === 'query') {
        const query = target.query.bind(target) as (sql: string, ...more: unknown[]) => Promise<unknown>;
        return (sql: string, ...more: unknown[]) =>
          READS.test(sql) ? query(sql, ...more) : Promise.reject(new WriteOutsideUnitOfWork());
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
