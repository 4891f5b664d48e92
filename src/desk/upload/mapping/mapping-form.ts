import { select } from '../../../web/form.js';
import { type Html, html, nameOf } from '../../../web/html.js';
import { knownCountries } from '../../../lib/codes/countries.js';
import type { Proposal, Question } from '../../../import/mappings/propose/proposal.js';
import type { Violation } from '../../../platform/errors/api-error.js';
import { fieldErrors, inputField, messagesOf, tokenField } from '../../layout/desk-form.js';
import type { DeskSession } from '../../session/desk-session.js';
import { mappingTexts as texts } from '../../texts/mapping.js';
import { uploadTexts } from '../../texts/upload.js';
import { formFieldsOf, inputOf, isInHeaders, skipNumbers, valueFieldOf } from './mapping-fields.js';

type FieldName = keyof typeof texts.fields;

/** What the form of a mapping is made of. */
interface MappingFormView {
  readonly proposal: Proposal;
  /** As `fieldsOfMapping` makes them, or as sent. */
  readonly form: URLSearchParams;
  /** The mapping that it says, as JSON. */
  readonly json: string;
  readonly errors: readonly Violation[];
  readonly session: DeskSession;
  /** Of the upload. */
  readonly address: string;
}

/** Fields that every price has, and every rate. */
const REQUIRED_OF_PRICES: readonly FieldName[] = [
  ...([
    'iso3_country_code',
    'market',
    'commodity',
    'price_type',
    'source',
    'currency',
    'measure_unit',
  ] as const),
  ...(['date', 'periodicity', 'price_value'] as const),
];

const REQUIRED_OF_RATES: readonly FieldName[] = ['currency', 'date', 'period', 'rate', 'source'];
const REQUIRED_OF_INDICES: readonly FieldName[] = [
  ...(['iso3_country_code', 'date', 'item', 'base_period', 'value', 'source'] as const),
];
const requiredOf = (table: string) =>
  table === 'fx' ? REQUIRED_OF_RATES : table === 'cpi' ? REQUIRED_OF_INDICES : REQUIRED_OF_PRICES;

const CHECKED = html`checked`;
const OPEN = html`open`;

/** The form: first what is asked, then what was found. */
export function mappingForm(view: MappingFormView): Html {
  const { proposal, session, address, form, json, errors } = view;
  const asked = new Set(proposal.questions.map(({ control }) => inputOf(control)));
  const controls = new Controls(view, asked);
  const questions = proposal.questions.map((question) => controls.question(question));
  const { table } = proposal.mapping;
  const required = requiredOf(table);
  const fields = formFieldsOf(table);
  const named = required.concat(
    fields.filter((name) => !required.includes(name) && form.has(`from.${name}`)),
  );
  const others = fields.filter((name) => !named.includes(name));
  return html`<form method="post" action="${address}/mapping" class="stack wide">
    ${tokenField(session)}
    ${
      questions.length === 0
        ? null
        : html`<h2 id="questions">${texts.questions}</h2>
            <p>${texts.openNote}</p>
            ${questions}`
    }
    <h2>${texts.found}</h2>
    <p>${texts.foundNote}</p>
    ${controls.unpivot()} ${named.map((name) => controls.field(name))} ${controls.numbers()}
    <details>
      <summary>${texts.more}</summary>
      <div class="stack">${others.map((name) => controls.field(name))}</div>
    </details>
    <details ${form.has('skip.0.column') || form.has('end.column') ? OPEN : null}>
      <summary>${texts.leftOut}</summary>
      <div class="stack">${controls.leftOut()}</div>
    </details>
    ${inputField({ label: texts.name, name: 'name', value: form.get('name') ?? '', hint: texts.nameHint }, errors)}
    <details ${form.get('use_json') === 'true' ? OPEN : null}>
      <summary>${texts.json}</summary>
      <div class="stack">
        <label
          >${texts.jsonLabel}<textarea name="json" rows="16" spellcheck="false">
${form.get('use_json') === 'true' ? (form.get('json') ?? '') : json}</textarea
          ><span>${texts.jsonNote}</span>${fieldErrors('json', messagesOf('json', errors))}</label
        >
        ${checkbox('use_json', texts.useJson, form.get('use_json') === 'true')}
      </div>
    </details>
    <div>
      <button>${texts.submit}</button>
      <span class="minor"><button formaction="${address}/mapping/keep">${texts.save.link}</button></span>
    </div>
  </form>`;
}

const checkbox = (name: string, label: string, isChecked: boolean, value = 'true'): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="${value}" ${isChecked ? CHECKED : null} /> ${label}</label
  >`;

const countries = knownCountries
  .map(({ iso3, name }) => [iso3, name] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, 'en'));

/** The controls of the form. */
class Controls {
  /** @param asked names of the controls that questions have: they stand there alone */
  constructor(
    private readonly view: MappingFormView,
    private readonly asked: ReadonlySet<string>,
  ) {}

  private get table() {
    return this.view.proposal.mapping.table;
  }

  private get = (name: string) => this.view.form.get(name) ?? '';
  private errorsOf = (name: string) => fieldErrors(name, messagesOf(name, this.view.errors));
  private label = (name: FieldName) => texts.fields[name];

  /** A question with the control that answers it. */
  question(question: Question): Html {
    const name = inputOf(question.control);
    const { text, because } = question;
    return html`<fieldset id="${name}">
      <legend>${text}</legend>
      <div class="choice">
        ${this.answer(name, question)} ${because === null ? null : html`<p class="muted">${because}</p>`}
      </div>
      ${this.errorsOf(name)}
    </fieldset>`;
  }

  private answer(name: string, { answers }: Question): Html {
    const [part = '', field = ''] = name.split('.');
    if (part === 'confirm') return checkbox(name, texts.confirm, this.get(name) === 'yes', 'yes');
    if (part === 'from') return this.origin(field as FieldName, answers);
    if (name === 'direction.rate') return this.direction(answers);
    if (part === 'values') return this.values(field as FieldName);
    const value = this.get(name);
    if (answers.length === 0) return inputField({ label: labelOf(name), name, value });
    return select(labelOf(name), name, value, [['', texts.choose], ...withChosen(answers, value)]);
  }

  /** For what rates are: the dollar, or another currency that is named beside. */
  private direction(answers: Question['answers']): Html {
    const value = this.get('direction.rate');
    const choices = withChosen(answers, value);
    return html`${select(texts.direction, 'direction.rate', value, [['', texts.choose], ...choices])}
    ${inputField({ label: texts.per, name: 'per.rate', value: this.get('per.rate'), hint: texts.perHint }, this.view.errors)}`;
  }

  /** A field of the table, with the reason of what it has. */
  field(name: FieldName): Html | null {
    const isAsked = this.asked.has(`from.${name}`);
    const isTaken =
      isInHeaders(this.get('unpivot'), name) ||
      (name === valueFieldOf(this.table) && this.get('unpivot') !== '');
    const origin = isTaken
      ? html`<p><strong>${this.label(name)}</strong>: ${texts.inHeaders}</p>`
      : this.origin(name, []);
    const parts = [
      isAsked ? null : html`<div class="choice">${origin} ${this.evidence(`fields.${name}`)}</div>`,
      this.asked.has(`values.${name}`) || this.get(`values.${name}`) === '' ? null : this.values(name),
      this.canFill(name)
        ? checkbox(`fill.${name}`, texts.fill(this.label(name)), this.get(`fill.${name}`) === 'true')
        : null,
      ...(['date', 'month', 'year'].includes(name) ? this.dates(name, isAsked || isTaken) : []),
    ].filter((part) => part !== null);
    return parts.length === 0 ? null : html`${parts}`;
  }

  private canFill = (name: FieldName): boolean =>
    !this.asked.has(`fill.${name}`) &&
    name !== valueFieldOf(this.table) &&
    this.get(`from.${name}`).startsWith('column:');

  /** Where a field comes from: a column, or a text for all rows. */
  private origin(name: FieldName, answers: Question['answers']): Html {
    const label = this.label(name);
    const chosen = this.get(`from.${name}`);
    const columns = this.view.proposal.columns
      .map(({ header, isUnpivoted }, index) => ({ index, header, isUnpivoted }))
      .filter(
        ({ isUnpivoted, index }) =>
          !isUnpivoted || chosen === `column:${index + 1}` || name === valueFieldOf(this.table),
      )
      .map(
        ({ header, index }) =>
          [`column:${index + 1}`, header === '' ? `${texts.column} ${index + 1}` : header] as const,
      );
    const joins = answers
      .filter(({ value }) => value.startsWith('join:'))
      .map(({ value, label: text }) => [value, text] as const);
    const isJoined = chosen.startsWith('join:') && joins.length === 0;
    const options = [
      ['', requiredOf(this.table).includes(name) ? texts.choose : texts.notRead] as const,
      ...(isJoined ? [[chosen, texts.joined(chosen.slice('join:'.length))] as const] : []),
      ...joins,
      ...columns,
      ['value', texts.sameForAll] as const,
    ];
    const choices = answers
      .filter(({ value }) => value.startsWith('value:'))
      .map(({ value, label: text }) => [value.slice('value:'.length), text] as const);
    const value = `value.${name}`;
    return html`${select(label, `from.${name}`, chosen, options)}
      <div class="constant">${this.constant(name, value, choices)}</div>`;
  }

  private constant(name: FieldName, input: string, choices: readonly (readonly [string, string])[]): Html {
    const label = texts.valueOf(this.label(name));
    const value = this.get(input);
    if (name === 'iso3_country_code') return select(label, input, value, [['', '–'], ...countries]);
    const known =
      name === 'periodicity'
        ? Object.entries(uploadTexts.periods)
        : choices.length === 0
          ? (texts.choices[name] ?? [])
          : choices;
    if (known.length > 0 && (value === '' || known.some(([one]) => one === value)))
      return select(label, input, value, [['', '–'], ...known]);
    return inputField({ label, name: input, value });
  }

  private values(name: FieldName): Html {
    return html`<label
      >${texts.valuesOf(this.label(name))}<textarea name="values.${name}" rows="4">
${this.get(`values.${name}`)}</textarea
      ><span>${texts.valuesHint}</span></label
    >`;
  }

  /** @param isTaken whether the field has no column of its own */
  private dates(name: FieldName, isTaken: boolean): (Html | null)[] {
    if (this.get(`from.${name}`) === '' && !isTaken) return [];
    const { languages, calendars } = texts;
    const language = this.get(`language.${name}`) || 'en';
    const others = Object.hasOwn(languages, language) ? [] : [[language, language] as const];
    const format = {
      label: texts.format,
      name: 'format.date',
      value: this.get('format.date'),
      hint: texts.formatHint,
    };
    return [
      name !== 'date' || this.asked.has('format.date')
        ? null
        : html`<div class="choice">${inputField(format)} ${this.evidence('fields.date.format')}</div>`,
      html`<div class="choice">
        ${
          name === 'year'
            ? null
            : select(texts.language, `language.${name}`, language, [...Object.entries(languages), ...others])
        }
        ${
          name === 'month' || this.asked.has(`calendar.${name}`)
            ? null
            : select(
                texts.calendar,
                `calendar.${name}`,
                this.get(`calendar.${name}`),
                Object.entries(calendars),
              )
        }
      </div>`,
    ];
  }

  unpivot(): Html | null {
    if (this.asked.has('unpivot')) return null;
    const field = {
      label: texts.unpivot,
      name: 'unpivot',
      value: this.get('unpivot'),
      hint: texts.unpivotHint,
    };
    return html`<div class="choice">
      ${inputField(field, this.view.errors)} ${this.evidence('unpivot.columns')}
    </div>`;
  }

  numbers(): Html {
    const decimal = select(texts.decimal, 'decimal', this.get('decimal'), Object.entries(texts.decimals));
    const group = select(texts.group, 'group', this.get('group'), Object.entries(texts.groups));
    const marks = html`<label
      >${texts.missing}<textarea name="missing" rows="2">${this.get('missing')}</textarea>
    </label>`;
    return html`<div class="choice">
        ${this.asked.has('decimal') ? null : decimal} ${group}
        ${this.evidence(`fields.${valueFieldOf(this.table)}.decimalChar`)}
      </div>
      <div class="choice">
        ${checkbox('money', texts.money, this.get('money') === 'true')}
        ${this.evidence(`fields.${valueFieldOf(this.table)}.bareNumber`)}
      </div>
      <div class="choice">
        ${inputField({ label: texts.multiply, name: 'multiply', value: this.get('multiply'), hint: texts.multiplyHint }, this.view.errors)}
        ${this.evidence(`fields.${valueFieldOf(this.table)}.multiply`)}
      </div>
      <div class="choice">${marks} ${this.evidence('missingValues')}</div>`;
  }

  leftOut(): Html {
    const numbers = skipNumbers(this.view.form);
    const rows = [...numbers, Math.max(-1, ...numbers) + 1].map((number) =>
      this.condition(`skip.${number}`, texts.skipColumn),
    );
    return html`${this.evidence('skip')} ${rows} ${this.condition('end', texts.end)} ${this.evidence('end')}`;
  }

  private condition(name: string, label: string): Html {
    const columns = this.view.proposal.columns.map(
      ({ header }, index) => [String(index + 1), header || `${texts.column} ${index + 1}`] as const,
    );
    return html`<div class="choice">
      ${select(label, `${name}.column`, this.get(`${name}.column`), [['', '–'], ...columns])}
      ${select(texts.skipIs, `${name}.is`, this.get(`${name}.is`), Object.entries(texts.conditions))}
      ${inputField({ label: texts.skipText, name: `${name}.text`, value: this.get(`${name}.text`) })}
    </div>`;
  }

  private evidence(control: string): Html | null {
    const found = this.view.proposal.evidence.filter((one) => one.control === control);
    return found.length === 0 ? null : html`<p class="muted">${found.map(({ text }) => `${text} `)}</p>`;
  }
}

/** The answers, and another text that was chosen. */
function withChosen(answers: Question['answers'], chosen: string): (readonly [string, string])[] {
  const options = answers.map(({ value, label }) => [value, label] as const);
  return chosen === '' || options.some(([value]) => value === chosen)
    ? options
    : [...options, [chosen, chosen]];
}

/** The label of a control that is no field of the table. */
function labelOf(name: string): string {
  const [part = ''] = name.split('.');
  const labels: Readonly<Record<string, string>> = {
    table: texts.table,
    unpivot: texts.unpivot,
    decimal: texts.decimal,
    format: texts.format,
    calendar: texts.calendar,
    sheet: texts.sheet,
    encoding: texts.encoding,
    fill: texts.fill(texts.fields[name.slice(part.length + 1) as FieldName] ?? ''),
  };
  return labels[part] ?? name;
}

/** What a page says of the columns of a table. */
export const columnLabel = (header: string, index: number): Html =>
  header === '' ? html`${texts.column} ${index + 1}` : nameOf(header);
