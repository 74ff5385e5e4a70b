import type { Insertable } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { DemoNounRow } from './demoNoun.ts'
import type { ProjectDraft } from './draft.ts'
import type { Market } from './market.ts'
import type { ProjectPlan } from './plan.ts'
import type { Random } from './random.ts'

/** Declares a noun of the demo data; its file in nouns/ exports it by the noun's name, and its generator as `rows`. */
export const demoNoun = <const Row extends DemoNounRow>(row: Row): Row => row

/** Rows by table; all rows of a table have the same columns. */
export type Rows<T extends keyof Schema = keyof Schema> = { readonly [Table in T]?: readonly Insertable<Schema[Table]>[] }
/** A file's content by its key in the file store. */
export interface Content {
  key: string
  content: Buffer
  mime: string
}

/** Generates a noun's rows; each noun has its own random stream, so that its draws don't shift the others'. */
export interface NounRows<T extends keyof Schema = keyof Schema> {
  /** The name of its random stream, if not the noun. */
  stream?: string
  /** Rows that belong to no project. */
  rows?(random: Random, market: Market): Rows<T> & { contents?: readonly Content[] }
  /** Rows of one project. */
  ofProject?(random: Random, market: Market, project: ProjectDraft): Rows<T> & { contents?: readonly Content[] }
  /** Rows of one project that are too many for one transaction: their number, and the rows themselves. */
  apart?: { weight(plan: ProjectPlan, market: Market): number; rows(random: Random, market: Market, plan: ProjectPlan): Rows<T> }
}
