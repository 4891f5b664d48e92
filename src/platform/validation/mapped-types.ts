import type { Type } from '@nestjs/common';
import { type Field, fieldDecorator, fieldsOf } from './field.js';

/*
 * Classes made of the fields of others, with the names of the functions of `@nestjs/mapped-types`.
 */

/** A class with all fields of another but these. */
export const OmitType = <T, K extends keyof T & string>(from: Type<T>, names: readonly K[]) =>
  classOf<Omit<T, K>>(fieldsOf(from).filter(({ name }) => !names.includes(name as K)));

/** A class with these fields of another, in this order. */
export const PickType = <T, K extends keyof T & string>(from: Type<T>, names: readonly K[]) =>
  classOf<Pick<T, K>>(names.map((wanted) => fieldsOf(from).find(({ name }) => name === wanted)!));

/** A class with the same fields, of which none may be left out. */
export const RequiredType = <T>(from: Type<T>) =>
  classOf<Required<T>>(fieldsOf(from).map((field) => ({ ...field, required: true })));

/** A class with the fields of several, in their order. */
export const IntersectionType = <T extends readonly Type[]>(...from: T) =>
  classOf<Intersection<T>>(from.flatMap((each) => fieldsOf(each)));

type Intersection<T extends readonly unknown[]> = T extends readonly [Type<infer First>, ...infer Rest]
  ? First & Intersection<Rest>
  : unknown;

function classOf<T>(fields: readonly Field[]): Type<T> {
  class Mapped {}
  for (const { name, ...type } of fields)
    fieldDecorator<unknown>(type)(Mapped.prototype as Record<string, unknown>, name);
  return Mapped as Type<T>;
}
