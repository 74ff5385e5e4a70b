import { describe, expect, test } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { HISTORY_WORDS, historyWords } from '../../contract/history.ts'
import { codeOf, foundCode, nounOf, nounsWith, wordOf } from '../../contract/nounOf.ts'
import { type NounId, type NounRow, nouns } from '../../contract/nouns.ts'
import { routeIds, rowOf } from '../../src/routing/routes.ts'
import { MORE } from '../../src/runner/moreIcons.ts'
import { titleOf } from '../../src/runner/undo.ts'
import { commandIds, commandOf } from '../support/commands.ts'

const rows = Object.entries(nouns) as [NounId, NounRow][]
const ids = Object.keys(nouns)

describe('the nouns table', () => {
  test('has a row for what every call’s id begins with, and for what a write makes stale', () => {
    for (const [id, call] of Object.entries(calls)) {
      expect(ids, id).toContain(id.split('.')[0])
      for (const noun of (call as { refreshes?: readonly string[] }).refreshes ?? []) expect(ids, id).toContain(noun)
    }
  })

  test.each(rows)('%s names rows of its own table, and each of its calls by a verb that it has', (noun, row) => {
    const { of, also = [], shows = [], showsIn = {}, found } = row
    const named = [of ?? noun, ...also, ...shows, ...Object.values(showsIn).flat(), found?.detail ?? noun]
    for (const other of named) {
      expect(ids).toContain(other)
      // Events never use another spelling of a noun.
      expect(nounOf(other)?.of === undefined || other === noun).toBe(true)
    }
    for (const verb of Object.keys(showsIn)) expect(calls).toHaveProperty([`${noun}.${verb}`])
  })

  test.each(rows)('%s has a screen that is a route with an id, or a list that is one', (_noun, { screen, listed }) => {
    if (screen) expect(rowOf(screen as (typeof routeIds)[number]).path).toContain('{id}')
    if (listed) expect(routeIds).toContain(listed)
  })

  test.each(rows)('%s is read by a call that takes its id alone', (_noun, { reads }) => {
    if (!reads) return
    const call = calls[reads as 'client.get']
    expect(call.method).toBe('GET')
    expect(call.input.safeParse({ id: 7 }).success).toBe(true)
    expect(call.input.safeParse({}).success).toBe(false)
  })

  test('calls nothing that has no words a record: what a command acts on and a screen shows has some', () => {
    const acted = commandIds().flatMap((id) => {
      const { on } = commandOf(id)
      return on === 'nothing' ? [] : on
    })
    const shown = routeIds.flatMap((id) => (rowOf(id) as { subject?: string }).subject ?? [])
    for (const kind of [...acted, ...shown]) expect(nounOf(kind)?.words, kind).toHaveLength(2)
  })

  test('says of everything that the palette finds where it opens and how it looks', () => {
    for (const noun of nounsWith((row) => row.found)) {
      const { screen, listed, icon } = nounOf(noun)!
      // A view opens the list whose state it is.
      if (noun !== 'view') expect(screen ?? listed, noun).toBeDefined()
      expect(icon, noun).toBeDefined()
    }
  })

  test('shows every noun by an icon that is there', () => {
    const first = ['bookmark', 'list', 'visits']
    for (const [noun, { icon }] of rows) if (icon) expect([...Object.keys(MORE), ...first], noun).toContain(icon)
  })
})

describe('a noun is called', () => {
  test('by its words', () => {
    expect([wordOf('campaign'), wordOf('entry', true), wordOf('activity', true)]).toEqual([
      'survey project',
      'rewards',
      'activities',
    ])
  })
  test('as people call its records where history says it otherwise, and as it is where nobody calls it anything', () => {
    expect([wordOf('outbox'), wordOf('runtime'), wordOf('nonsense', true)]).toEqual(['mail', 'runtime', 'nonsense'])
  })
  test('by its code; the palette finds projects by it', () => {
    expect([codeOf('project', 4812), codeOf('client', 7), codeOf('user', 7)]).toEqual(['P-4812', 'C-7', '7'])
    expect([foundCode('campaign', 4812), foundCode('client', 7), foundCode('strange', 7)]).toEqual([
      'P-4812',
      undefined,
      undefined,
    ])
  })
})

describe('history', () => {
  test('has words for calls that there are, and for what a command is recorded as', () => {
    // The demo mentions partners' answers, whose calls come with their pages.
    const known = new Set<string>([...Object.keys(calls), ...commandIds(), 'proffer.create'])
    for (const [noun, verbs] of Object.entries(HISTORY_WORDS))
      for (const verb of Object.keys(verbs)) expect(known, `${noun}.${verb}`).toContain(`${noun}.${verb}`)
  })
  test('says of a noun with words what its plain verbs did', () => {
    expect([historyWords('partner.create'), historyWords('view.remove'), historyWords('market.edit')]).toEqual([
      'added the partner',
      'deleted the saved view',
      undefined,
    ])
  })
  test('says what was done after a name, and nothing of what it has no words for', () => {
    expect([historyWords('project.setCost'), historyWords('project.toString'), historyWords('toString')]).toEqual([
      'set the cost',
      undefined,
      undefined,
    ])
  })
})

describe('what was done without a command is called, for its undo,', () => {
  test('as the command of the same id, else by its noun and its verb', () => {
    const edits = [
      'client.edit',
      'organization.edit',
      'request.create',
      'file.uploadDocument',
      'client.editLocationGroup',
    ] as const
    expect(edits.map(titleOf)).toEqual([
      'Rename client',
      'Edit organization',
      'New request',
      'Upload document',
      'Edit location list',
    ])
  })
})
