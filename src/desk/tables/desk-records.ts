import { Injectable } from '@nestjs/common';
import { Idempotency } from '../../idempotency/idempotency.js';
import { Duplicate, PreconditionFailed, ValidationError } from '../../platform/errors/api-error.js';
import { accountKey } from '../../platform/http/caller.js';
import type { Reply } from '../../platform/http/reply.js';
import { bodyViolation, validateBody } from '../../platform/validation/validate-body.js';
import { type Author, etagOf, recordChangeSet } from '../../reference/base/base-reference.service.js';
import { DuplicateRecordError, InvalidRecordError } from '../../reference/base/record-errors.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { storedRedirectTo } from '../session/redirection.js';
import type { DeskTable } from './desk-tables.js';
import { bodyOf, changedTexts, type FormValues } from './form-values.js';
import { recordAddress, tableAddress } from './table-address.js';

/** The record is not the one any more that the form was made of. */
export class RecordConflict extends Error {
  constructor(readonly stored: ReferenceEntity) {
    super('The record has changed since the form was made.');
    this.name = 'RecordConflict';
  }
}

/** Writes records of reference tables as the API does: same checks, audit and change sets. */
@Injectable()
export class DeskRecords {
  constructor(private readonly idempotency: Idempotency) {}

  /**
   * Creates a record once, however often its form is sent.
   * @param key of the form
   * @returns the redirection to its page
   * @throws ValidationError, Duplicate
   */
  async create(desk: DeskTable, sent: FormValues, key: string | null, author: Author): Promise<Reply> {
    const { names, service, table } = desk;
    const body = validateBody(table.dto, bodyOf(table.fields, filledIn(table, sent)), {
      aliases: names.aliases,
    });
    const request = {
      key,
      account: accountKey(author.caller as Parameters<typeof accountKey>[0]),
      path: tableAddress(desk.name),
      body: sent,
      changeSet: recordChangeSet(author, table.dto.entity),
      deadline: author.deadline,
    };
    return translated(desk, () =>
      this.idempotency.once(request, async (transaction) => {
        const { id } = await service.create(transaction, names.valuesOf(body), author);
        return storedRedirectTo(recordAddress(desk.name, id, { done: 'created' }));
      }),
    );
  }

  /**
   * Changes the fields of a record whose texts differ from what is stored. Only these, because
   * imports no longer fill fields that a maintainer has written.
   * @param version of the record that the form was made of
   * @throws NotFound, ValidationError, Duplicate, BuiltIn
   * @throws RecordConflict where it was changed since, unless to the same
   */
  async save(desk: DeskTable, id: number, version: string, sent: FormValues, author: Author): Promise<void> {
    const { names, service, table } = desk;
    const stored = await service.read(id);
    const changes = changedTexts(table, stored as unknown as RecordValues, sent);
    if (Object.keys(changes).length === 0) return;
    if (etagOf(stored) !== version) throw new RecordConflict(stored);
    const body = validateBody(table.dto, bodyOf(table.fields, changes), {
      partial: true,
      aliases: names.aliases,
    });
    const conditions = { ifMatch: [version], ifNoneMatch: null };
    try {
      await translated(desk, () => service.update(id, names.valuesOf(body), conditions, author));
    } catch (error) {
      if (error instanceof PreconditionFailed) throw new RecordConflict(await service.read(id));
      throw error;
    }
  }
}

/** The texts of a form without the blank ones, whose fields have their defaults. */
const filledIn = ({ fields }: DeskTable['table'], sent: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(sent).filter(([name, text]) => text.trim() !== '' || fields.get(name)!.required),
  );

/** Runs a write; its errors name the fields of the read form. */
async function translated<T>({ name }: DeskTable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidRecordError)
      throw new ValidationError(error.errors.map(({ field, error: reason }) => bodyViolation(field, reason)));
    if (error instanceof DuplicateRecordError) {
      const { existingId, fields } = error;
      throw new Duplicate(fields, existingId === null ? undefined : recordAddress(name, existingId));
    }
    throw error;
  }
}
