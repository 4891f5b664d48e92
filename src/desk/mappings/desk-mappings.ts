import { Injectable } from '@nestjs/common';
import { Idempotency } from '../../idempotency/idempotency.js';
import { type Mapping, validateMapping } from '../../import/mappings/mapping.js';
import {
  mappingChangeSet,
  MappingNameTakenError,
  MappingsService,
} from '../../import/mappings/stored/mappings.service.js';
import { Duplicate, ValidationError } from '../../platform/errors/api-error.js';
import { accountKey } from '../../platform/http/caller.js';
import { Reply } from '../../platform/http/reply.js';
import { DESK_HEADERS } from '../layout/desk-page.js';
import { storedRedirectTo } from '../session/redirection.js';
import type { DeskAuthor } from '../session/sent-form.js';
import { mappingAddress, MAPPINGS } from './mapping-address.js';

/** Stores mappings as the API does: same checks, versions, audit and change sets. */
@Injectable()
export class DeskMappings {
  constructor(
    private readonly mappings: MappingsService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Stores a new mapping once, however often its form is sent.
   * @param key of the form
   * @returns the redirection to its page
   * @throws Duplicate, BuiltIn, TooLarge, ValidationError
   */
  async create(mapping: Mapping, key: string | null, author: DeskAuthor): Promise<Reply> {
    const request = {
      key,
      account: accountKey(author.caller),
      path: MAPPINGS,
      body: mapping,
      changeSet: mappingChangeSet(author, mapping.name),
      deadline: author.deadline,
    };
    try {
      return await this.idempotency.once(request, async (transaction) => {
        const { name } = await this.mappings.create(transaction, mapping, author);
        return storedRedirectTo(mappingAddress(name, { done: 'created' }));
      });
    } catch (error) {
      if (!(error instanceof MappingNameTakenError)) throw error;
      throw new Duplicate(['name'], mappingAddress(error.mappingName));
    }
  }
}

/** A mapping as a file for the command. */
export const mappingFile = (mapping: Mapping): Reply =>
  Reply.text(`${JSON.stringify(mapping, null, 2)}\n`, 'application/json', {
    headers: { ...DESK_HEADERS, 'Content-Disposition': `attachment; filename="${mapping.name}.json"` },
  });

/** A mapping under another name. @throws ValidationError */
export function renamed(mapping: Mapping, name: string): Mapping {
  const found = validateMapping({ ...mapping, name });
  if ('violations' in found) throw new ValidationError(found.violations);
  return found.value;
}
