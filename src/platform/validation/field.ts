import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { ParseError, type ValueParser } from './parsers.js';
import { arrayOf, objectOf, ref, type Schema } from './schema.js';

/*
 * What a field of a class is: read from bodies and files, shown in replies, lists and documents.
 * The decorators of the single kinds are in fields.ts; those here put fields together.
 */

/** What the values of a field are. */
export type FieldKind =
  | 'id'
  | 'integer'
  | 'uuid'
  | 'text'
  | 'verbatim'
  | 'digits'
  | 'choice'
  | 'date'
  | 'instant'
  | 'country'
  | 'currency'
  | 'decimal'
  | 'flag'
  /** Objects, arrays and what has no kind: of replies only, and not checked. */
  | 'json';

/** The subset of OpenAPI's schema object that scalar fields use. */
export interface FieldSchema extends Partial<
  Record<'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum', number>
> {
  type?: string;
  description?: string;
  example?: string | number | boolean;
  format?: string;
  pattern?: string;
  maxLength?: number;
  minLength?: number;
  enum?: readonly string[];
}

/** What the values of a field are, and how they are checked, parsed and described. */
export interface FieldType {
  readonly kind: FieldKind;
  /** Must be given on POST and PUT; replies always have it. */
  readonly required: boolean;
  /** May be null. */
  readonly nullable: boolean;
  /** Why the normalized value is invalid; null when it is valid. */
  check(this: void, value: unknown): ParseError | null;
  normalize?(this: void, value: unknown): unknown;
  /** Parses a value of the query string, for lists that are filtered by the field. */
  readonly parser?: ValueParser<string | number | boolean>;
  /** What the document says of its values, null left out. */
  readonly schema: FieldSchema;
  /** Its schema in the OpenAPI document. @param limits whether it says which values are accepted */
  describe(this: void, limits: boolean): Schema;
  /** The same where it may be left out, for kinds that accept more then. */
  readonly whenOptional?: FieldType;
  /** What imports do that the API does not: store a text in upper case. */
  readonly imports?: 'in upper case';
  /** A code, which is stored without the decimals that a spreadsheet has added to it. */
  readonly isCode?: boolean;
  /** What an object or an array is made of, for bodies that are nested. */
  readonly parts?: FieldParts;
}

/** What the values of a field of the kind `json` are made of. */
type FieldParts =
  | { readonly kind: 'array'; readonly items: FieldType }
  | { readonly kind: 'object'; readonly shape: Type }
  | { readonly kind: 'map'; readonly values: FieldType }
  | { readonly kind: 'either'; readonly types: readonly [FieldType, FieldType] };

/** A field of a class, as its decorator describes it. */
export interface Field extends FieldType {
  readonly name: string;
}

type Scalar = string | number | boolean | null | undefined;

/** What the compiler shows where a property has another type than its decorator. */
interface Misfit<V> {
  readonly 'the property must have the type of its field': V;
}

/** Whether a property holds the values of a field: all of them, and no others. */
type Fits<P, V> = [P] extends [V] ? ([Extract<V, Scalar>] extends [P] ? unknown : Misfit<V>) : Misfit<V>;

/**
 * Decorates a property whose type is `V`; on any other it does not compile. `undefined` in `V` is a
 * property with a question mark.
 */
export interface FieldDecorator<V> {
  <T extends object, K extends keyof T & string>(target: T, name: K & Fits<T[K], V>): void;
  readonly type: FieldType;
  /** Never set: it carries the type of the values. */
  readonly values?: V;
}

/** Makes the decorator of fields of a type. */
export const fieldDecorator = <V>(type: FieldType): FieldDecorator<V> =>
  Object.assign((target: object, name: string) => describeField(target, name, type), { type });

const FIELDS = 'pds:fields';

/** The fields of a class and its base classes, in order of declaration. */
export function fieldsOf(described: object): readonly Field[] {
  return (Reflect.getMetadata(FIELDS, described) as Field[] | undefined) ?? [];
}

function describeField({ constructor }: object, name: string, type: FieldType): void {
  const others = fieldsOf(constructor).filter((other) => other.name !== name);
  Reflect.defineMetadata(FIELDS, [...others, { ...type, name }], constructor);
  const { check, nullable, kind } = type;
  if (kind === 'json') return;
  ValidateBy({
    name: 'field',
    validator: {
      validate: (value) => (value === null && nullable) || check(value) === null,
      defaultMessage: (args) => `${args!.property} ${check(args!.value)!.reason}`,
    },
  })(constructor.prototype as object, name);
}

interface Described {
  readonly description?: string | undefined;
}

const textOf = ({ description }: Described) => (description === undefined ? {} : { description });

/** The field may be null. */
export const OrNull = <V>(field: FieldDecorator<V>, options: Described = {}): FieldDecorator<V | null> =>
  fieldDecorator(orNull(field.type, options));

function orNull(type: FieldType, options: Described): FieldType {
  return {
    ...type,
    nullable: true,
    describe: (limits) => ({ ...nullOr(type.describe(limits)), ...textOf(options) }),
    whenOptional: type.whenOptional && orNull(type.whenOptional, options),
  };
}

function nullOr(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { oneOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    ...(schema.type === undefined ? {} : { type: [schema.type, 'null'] }),
    ...(schema.enum === undefined ? {} : { enum: [...(schema.enum as unknown[]), null] }),
  };
}

/** The field may be left out: of bodies, or of replies that say nothing of it. */
export const Optional = <V>({ type }: FieldDecorator<V>): FieldDecorator<V | undefined> =>
  fieldDecorator({ ...(type.whenOptional ?? type), required: false });

const json = <V>(type: string, describe: FieldType['describe'], parts?: FieldParts): FieldDecorator<V> =>
  fieldDecorator({
    kind: 'json',
    required: true,
    nullable: false,
    check: () => null,
    schema: { type },
    describe,
    ...(parts === undefined ? {} : { parts }),
  });

/** An array. */
export const ArrayOf = <V>(items: FieldDecorator<V>, options: Described = {}): FieldDecorator<readonly V[]> =>
  json('array', (limits) => ({ ...arrayOf(items.type.describe(limits)), ...textOf(options) }), {
    kind: 'array',
    items: items.type,
  });

/** An object of another class, which the document shows in place or by its name. */
export const Nested = <T extends object>(shape: Type<T>, options: Described = {}): FieldDecorator<T> =>
  json('object', () => ({ ...schemaOf(shape), ...textOf(options) }), { kind: 'object', shape });

/** An object whose members have names that are not known beforehand. */
export const MapOf = <V>(
  values: FieldDecorator<V>,
  options: Described = {},
): FieldDecorator<Readonly<Record<string, V>>> =>
  json(
    'object',
    (limits) => ({
      type: 'object',
      additionalProperties: values.type.describe(limits),
      ...textOf(options),
    }),
    { kind: 'map', values: values.type },
  );

/** A value of either of two types, which JSON tells apart. */
export const Either = <A, B>(
  first: FieldDecorator<A>,
  second: FieldDecorator<B>,
  options: Described = {},
): FieldDecorator<A | B> =>
  json(
    'object',
    (limits) => ({ anyOf: [first.type.describe(limits), second.type.describe(limits)], ...textOf(options) }),
    { kind: 'either', types: [first.type, second.type] },
  );

/** An object with one member of the same kind for each name. */
export const RecordOf = <K extends string, V>(
  names: readonly K[],
  values: FieldDecorator<V>,
  options: Described = {},
): FieldDecorator<undefined extends V ? { readonly [Name in K]?: V } : { readonly [Name in K]: V }> =>
  json('object', (limits) => {
    const properties = Object.fromEntries(names.map((name) => [name, values.type.describe(limits)]));
    return { ...objectOf(properties, values.type.required ? [] : names), ...textOf(options) };
  });

/** One value, always. */
export const Constant = <const V extends string | number | boolean | null>(value: V): FieldDecorator<V> =>
  fieldDecorator({
    kind: CONSTANT_KINDS[typeof value] ?? 'json',
    required: true,
    nullable: false,
    check: (given) =>
      given === value ? null : new ParseError('invalid_choice', `must be ${JSON.stringify(value)}.`),
    schema: {},
    describe: () => (value === null ? { type: 'null' } : { const: value }),
  });

const CONSTANT_KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  number: 'decimal',
  boolean: 'flag',
};

/** A value whose schema is written out, because no kind says it. */
export const WithSchema = <V>(schema: Schema): FieldDecorator<V> => json('object', () => schema);

/** How the OpenAPI document shows a class. */
interface ApiSchemaOptions {
  /** The name of the schema; by default that of the class. */
  readonly name?: string;
  /** It is sent by clients: the document says which values are accepted. */
  readonly limits?: boolean;
  readonly description?: string;
}

const COMPONENT = 'pds:component';
const named = new Map<string, Type>();

/** The classes that the document shows by their names. */
export const components: ReadonlyMap<string, Type> = named;

/**
 * The class is one of the document's components, to which others refer by its name.
 * @throws Error for the name of another class
 */
export const ApiSchema =
  (options: ApiSchemaOptions = {}) =>
  (target: Type): void => {
    const component = { name: target.name, ...options };
    if (named.has(component.name)) throw new Error(`Two schemas have the name ${component.name}.`);
    named.set(component.name, target);
    Reflect.defineMetadata(COMPONENT, component, target);
  };

const componentOf = (shape: object) =>
  Reflect.getOwnMetadata(COMPONENT, shape) as (ApiSchemaOptions & { name: string }) | undefined;

/** The schema of a class where it is used: that of a component refers to it. */
export function schemaOf(shape: Type): Schema {
  const component = componentOf(shape);
  return component === undefined ? wholeSchemaOf(shape) : ref(component.name);
}

/** The schema of a class with all its fields. */
export function wholeSchemaOf(shape: Type): Schema {
  const { limits = false, description } = componentOf(shape) ?? {};
  const fields = fieldsOf(shape);
  const schema = objectOf(
    Object.fromEntries(fields.map((field) => [field.name, field.describe(limits)])),
    fields.filter(({ required }) => !required).map(({ name }) => name),
  );
  return { ...schema, ...textOf({ description }) };
}
