/** The JSON of `kanshape batch`, as far as the page reads it. Its types are those of the schema. */

import type { Catalog, ModelLine, Program, Stablehlo, WhyLine } from "./schema";

export type {
  Answer,
  Body as ModelBody,
  Case,
  Catalog,
  Cause,
  Condition,
  DiffLine,
  Dim,
  Error as Mistake,
  Fact,
  Find,
  Graph,
  ModelLine,
  NodeOfModel as ModelNode,
  Other as TypeData,
  Pair,
  ParsedList,
  ParsedQuestion,
  ParsedRule,
  ParsedType,
  Place,
  Problem,
  Program,
  ProgramWhy,
  Query as Solved,
  QueryWhy,
  Repair,
  Row,
  Rule as Sound,
  RuleCost,
  RuleValues,
  Side,
  Size,
  Sizes,
  Spot,
  Stablehlo,
  Step,
  Term,
  Verdict,
  WhyLine,
} from "./schema";

/** An answer that is no mistake. */
type Right<T> = Exclude<T, { error: object }>;

export type ModelReport = Right<ModelLine>;
export type ModuleReport = Right<Stablehlo>;
export type ProgramReport = Right<Program>;
export type Ways = Right<WhyLine>;
export type Operator = Extract<Catalog, { rule: string }>;

export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };
/** What is asked. */
export type Line = { [name: string]: Json };

/** What answers lines. */
export interface Asker {
  ask<T>(line: Line): Promise<T>;
}

/** A question that somebody waits for no longer. */
export class Overtaken extends Error {}
