import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { change } from '../../server/core/change.ts'
import type { Ctx } from '../../server/core/context.ts'
import { onlyColumns } from '../../server/core/onlyColumns.ts'
import { recordOf, type Subject } from '../../src/commands/subject.ts'

/*
 * A field that a table, a call or a kind of record lacks doesn't compile.
 * Where the compiler looks away (a spread, a cast, a record of any kind), these tests look.
 */

const root = resolve(import.meta.dirname, '../..')
const sources = (...folders: string[]): [file: string, text: string][] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name): [string, string] => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')]),
  )

/** The end of what opens at a place: the position of its closing bracket. */
function closing(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++
    else if (')]}'.includes(text[at]!) && --depth === 0) return at
  }
  return text.length
}
/** The arguments of every call of these functions. */
const argumentsOf = (text: string, called: RegExp): string[] =>
  [...text.matchAll(called)].map(({ index, 0: { length } }) => text.slice(index + length, closing(text, index + length - 1)))

/** True if an object spreads something by name, outside brackets of its own. */
function spreadsRow(row: string): boolean {
  let depth = 0
  for (let at = 0; at < row.length; at++) {
    if (depth === 1 && /^\.\.\.[\w(]/.test(row.slice(at, at + 4))) return true
    if ('([{'.includes(row[at]!)) depth++
    else if (')]}'.includes(row[at]!)) depth--
  }
  return false
}

test('a row that is written names its table’s columns, whatever was spread into it', () => {
  const found = sources('server').flatMap(([file, text]) =>
    // Migrations and undo write the columns that they have read themselves.
    /\/(migrations|baseline|demo|restoreRows|core\/change)/.test(file)
      ? []
      : [...text.matchAll(/\.(?:insertInto|updateTable)\('\w+'\)\s*(?:\.where\([^)]*\)\s*)?\.(?:values|set)\(/g)].flatMap(
          (match) => {
            const argument = text.slice(match.index + match[0].length, closing(text, match.index + match[0].length - 1))
            const row = /^\s*(?:\(\w*\) =>\s*\(?)?\s*(\{[\s\S]*)/.exec(argument)?.[1]
            return row && spreadsRow(row) ? [`${file}: ${row.replace(/\s+/g, ' ').slice(0, 80)}`] : []
          },
        ),
  )
  expect(found).toEqual([])
})

test('a write has no cast in its input', () => {
  const writes = /\b(?:api\.write|api\.dryRun|writeFields|change|add|\.values|\.set|onlyColumns)\(/g
  const found = sources('server', 'src').flatMap(([file, text]) =>
    // Undo and bulk inserts write the columns of any table.
    /undo\/restoreRows|db\/connect|migrations|baseline/.test(file)
      ? []
      : argumentsOf(text, writes)
          .filter((argument) => /\bas (never|any|Record<string, unknown>)\b/.test(argument))
          .map((argument) => `${file}: ${argument.slice(0, 80)}`),
  )
  expect(found).toEqual([])
})

test('a command casts no record and takes none of any kind', () => {
  const found = sources('src/commands').flatMap(([file, text]) =>
    // Those directly in the folder are the mechanism.
    !file.slice('src/commands/'.length).includes('/')
      ? []
      : [...text.matchAll(/Record<string, unknown>|\.record!?\)? as \w+/g)].map(([use]) => `${file}: ${use}`),
  )
  expect(found).toEqual([])
})

test('a column that a table lacks does not compile in a change, or in a row that spreads it', () => {
  const sent = { name: 'Wave 1', internal_code: 'W1' }
  // @ts-expect-error projects have no such column
  expect(onlyColumns('projects', { ...sent })).toEqual(sent)
  // @ts-expect-error projects have no such column
  const patch = (ctx: Ctx) => change(ctx, 'projects', { subject: 'project', id: 1, patch: sent })
  expect(patch).toBeTypeOf('function')
  const project: Subject = { kind: 'project', id: 1, name: 'Wave 1', record: sent }
  // @ts-expect-error a project's record has no such field
  expect(recordOf(project, 'project').internal_code).toBe('W1')
})
