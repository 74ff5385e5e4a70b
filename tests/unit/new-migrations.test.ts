import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { checkRows } from './rows.ts'

const folder = resolve(import.meta.dirname, '../../server/db/migrations')
/** It runs only in an empty database. */
const BASELINE = '0100-baseline.ts'

/** What makes callers wait for as long as a table is big, in the text of a migration on PostgreSQL. */
function blocking(text: string): string[] {
  const source = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')
  const created = [...source.matchAll(/create table (?:if not exists )?"?(\w+)/gi)].map(([, table]) => table!)
  const online = /\bprepare\b/.test(source)
  const faults: string[] = []
  for (const [, name, table] of source.matchAll(
    /create (?:unique )?index (?!concurrently)(?:if not exists )?("?[\w${}]+"?) on "?([\w${}]+)/gi,
  ))
    if (!created.includes(table!)) faults.push(`the index ${name} on ${table} is created without createIndexes`)
  if (/createIndexes\(/.test(source) && !/indexesOnline\(/.test(source))
    faults.push('createIndexes without indexesOnline in prepare')
  if (/set not null/i.test(source) && !/validate constraint/i.test(source))
    faults.push('SET NOT NULL without a check that was validated before')
  for (const [statement] of source.matchAll(/add constraint[^`'"]*(?:"\w+"[^`'"]*)*/gi))
    if (!/not valid|using index/i.test(statement)) faults.push('ADD CONSTRAINT without NOT VALID')
  if (/alter column[^`]*\btype\b/i.test(source)) faults.push('ALTER COLUMN … TYPE rewrites the table')
  if (/add column[^`,]*default[^`,]*(random\(|clock_timestamp|gen_random)/i.test(source))
    faults.push('a default that is computed for each row rewrites the table')
  for (const [, table] of source.matchAll(/(?<!do |for |after |before |or |on conflict [^`]*)\bupdate "?(\w+)"? set\b/gi))
    if (!created.includes(table!) && !online) faults.push(`UPDATE of ${table} without batches in prepare`)
  for (const [, table] of source.matchAll(/delete from "?(\w+)"?/gi))
    if (!created.includes(table!) && !online) faults.push(`DELETE from ${table} without batches in prepare`)
  return faults
}

test('no new migration blocks callers of a big table', () => {
  const files = readdirSync(folder).filter((name) => name > BASELINE)
  const faults = files.flatMap((name) =>
    blocking(readFileSync(resolve(folder, name), 'utf8')).map((fault) => `${name}: ${fault}`),
  )
  expect(faults).toEqual([])
})

test('the rules find what blocks', () => {
  checkRows(
    [
      ['create index "ix_a" on "projects" ("name")', 1],
      ['create unique index "ix_a" on projects ("name")', 1],
      ['create table "new" ("id" bigint); create index "ix_a" on "new" ("id")', 0],
      // Even one that exists locks its table until the commit.
      ['async prepare(db) { indexesOnline(db, A) }, async up() { create index if not exists "ix_a" on "projects" ("name") }', 1],
      ['prepare: (db) => indexesOnline(db, A), up: (db) => createIndexes(db, engine, A)', 0],
      ['up: (db) => createIndexes(db, engine, A)', 1],
      ['alter table "projects" alter column "name" set not null', 1],
      [
        'alter table p add constraint c check (name is not null) not valid; validate constraint c; alter column name set not null',
        0,
      ],
      ['alter table p add constraint c check (name is not null)', 1],
      ['alter table p alter column name type bigint', 1],
      ['alter table p add column "x" text not null default \'\'', 0],
      ['alter table p add column "x" text default gen_random_uuid()', 1],
      ['update "projects" set name = 1', 1],
      ['insert into x values (1) on conflict (id) do update set n = 1', 0],
      ['create trigger t after update on projects begin update list_versions set n = 1; end', 1],
      ['async prepare(db) { fillOnline(db) }, async up() { update projects set name = 1 }', 0],
      ['delete from projects where id = 1', 1],
      ['// update projects set a = 1', 0],
    ],
    ([text, count]) => {
      expect(blocking(text)).toHaveLength(count)
    },
  )
})
