import type { Type } from '@nestjs/common';
import { type Field, fieldDecorator, fieldsOf } from './field.js';

/*
 * Classes made of the fields of others, with the names of the functions of `@nestjs/mapped-types`.
 */

/** A class with these fields of another, in the order of the names. */
export const PickType = <T, K extends keyof T & string>(from: Type<T>, names: readonly K[]) =>
  classOf<Pick<T, K>>(names.map((name) => fieldsOf(from).find((field) => field.name === name)!));

/** A class with all fields of another but these. */
export const OmitType = <T, K extends keyof T & string>(from: Type<T>, names: readonly K[]) =>
  classOf<Omit<T, K>>(fieldsOf(from).filter(({ name }) => !names.includes(name as K)));

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
