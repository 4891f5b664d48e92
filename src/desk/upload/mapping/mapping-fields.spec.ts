import { shippedMappings } from '../../../import/mappings/shipped-mappings.js';
import { fieldsOfMapping, mappingOfFields } from './mapping-fields.js';

describe('the form of a mapping', () => {
  it('keeps all conditions of rows that are left out, however many there are', () => {
    const mapping = shippedMappings.get('nbs-nigeria')!;
    const proposal = { mapping, columns: [], evidence: [], questions: [] };
    const form = fieldsOfMapping(mapping, []);
    const read = mappingOfFields(form, proposal, mapping);
    expect(read).toMatchObject({ mapping: { skip: mapping.skip }, violations: [] });
    form.set('skip.0.column', '');
    expect(mappingOfFields(form, proposal, mapping)).toMatchObject({
      mapping: { skip: mapping.skip!.slice(1) },
    });
  });
});
