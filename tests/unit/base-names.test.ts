import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nouns } from '../../contract/nouns.ts'
import { sourcesOf } from '../support/graph.ts'

/*
 * Two files of one base name hold the same thing (CONTRIBUTING.md, Conventions):
 * a noun at several layers, or one role in the folders of several nouns.
 */

/** Roles that a file may have in its noun's folder. */
const ROLES: Readonly<Record<string, string>> = {
  list: 'the noun’s lists, made by core/listBuilder.ts',
  lists: 'the same where there are several',
  detail: 'one record as its screen reads it',
  write: 'the writes of a record that several calls share',
  edit: 'the edit of a record, where it is long',
  save: 'storing a form that creates or changes',
  scope: 'which rows a caller sees',
  counts: 'the figures of a list’s rows',
  range: 'a query’s days and filters, read and checked',
  intake: 'storing what programs send',
  receive: 'the call that programs send to',
  mask: 'hiding personal data in texts',
}
/** Names of several layers that are no noun: the same thing in each. */
const SHARED: Readonly<Record<string, string>> = {
  answer: 'a partner’s answer: its rules, and the commands of giving it',
  format: 'numbers and dates: for all, and what only the workspace shows',
  main: 'the start of a process',
  memberships: 'which clients and teams a user belongs to',
  orphans: 'files without a record: finding them, and the command line of it',
  partnerOffers: 'partners’ offers in a quote: reading them, and their commands',
  people: 'the area of users, clients, teams and partners',
  rebuild: 'counting visits again: the job, and its command',
  responses: 'User Responses',
  restore: 'restoring a deleted record; in server/cli, a backup',
  screens: 'the table of screens: who may open them, and their panes',
  seed: 'the demo marketplace, and the command line of it',
  selection: 'the selected rows of a list: here, and across pages from the server',
  settings: 'the area of settings; in server/core, those of the installation',
  status: 'a project’s status: its words, its moves, its commands',
  teamEffect: 'what a change of teams means for access',
  visitation: 'the area of visits',
}

/** A file of handlers is named after its contract, so the two count once. */
const ofContract = (file: string) => file.replace(/^server\/calls\/(?=[^/]+$)/, 'contract/')
const FILES = ['contract', 'server', 'src'].flatMap(sourcesOf).filter((file) => !file.includes('/migrations/'))
const nameOf = (file: string) => basename(file).replace(/\.tsx?$/, '')
const layerOf = (file: string) =>
  file
    .split('/')
    .slice(0, file.startsWith('contract/') ? 1 : 2)
    .join('/')
const NOUNS = new Set(Object.keys(nouns))
const isNoun = (name: string) => [name, name.replace(/s$/, ''), name.replace(/ies$/, 'y')].some((one) => NOUNS.has(one))

const groups = (files: readonly string[], of: (file: string) => string) =>
  [...Map.groupBy(files, of)].filter(([, some]) => new Set(some.map(ofContract)).size > 1)

describe('files of one base name', () => {
  const twice = groups(FILES, nameOf)

  test('hold the same noun, or have the same role in the folders of several nouns', () => {
    const strange = twice.filter(([name]) => !isNoun(name) && !Object.hasOwn(ROLES, name) && !Object.hasOwn(SHARED, name))
    expect(strange.map(([, files]) => files)).toEqual([])
  })

  test('stand once in a layer, unless they are a role or a noun’s part', () => {
    const strange = twice.flatMap(([name, files]) =>
      Object.hasOwn(ROLES, name) || isNoun(name) ? [] : groups(files, layerOf).map(([, some]) => some),
    )
    expect(strange).toEqual([])
  })

  test('have no exception that isn’t needed', () => {
    const names = new Set(twice.map(([name]) => name))
    expect([...Object.keys(ROLES), ...Object.keys(SHARED)].filter((name) => !names.has(name))).toEqual([])
  })
})
