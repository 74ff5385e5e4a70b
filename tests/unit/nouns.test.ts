import { describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { calls } from '../../contract/calls.ts'
import { HISTORY_WORDS, historyWords } from '../../contract/history.ts'
import { codeOf, foundCode, nounOf, nounsWith, wordOf } from '../../contract/nounOf.ts'
import { type NounId, type NounRow, nouns } from '../../contract/nouns.ts'
import { RESTORED } from '../../contract/restored.ts'
import { routeIds, rowOf } from '../../src/routing/routes.ts'
import { MORE } from '../../src/runner/moreIcons.ts'
import { titleOf } from '../../src/runner/undo.ts'
import { commandIds, commandOf } from '../support/commands.ts'
import { checkRows } from './rows.ts'

const rows = Object.entries(nouns) as [NounId, NounRow][]
const ids = Object.keys(nouns)
const idOf = ([noun]: [NounId, NounRow]) => noun

describe('the nouns table', () => {
  test('has a row for every call’s prefix, and for everything writes make stale', () => {
    for (const [id, call] of Object.entries(calls)) {
      expect(ids, id).toContain(id.split('.')[0])
      for (const noun of (call as { refreshes?: readonly string[] }).refreshes ?? []) expect(ids, id).toContain(noun)
    }
  })

  test('names rows of its own, and calls by their verbs', () => {
    checkRows(
      rows,
      ([noun, row]) => {
        const { of, also = [], shows = [], showsIn = {}, found, parent, restores } = row
        const refreshed = typeof restores === 'object' ? restores.refreshes : []
        const named = [of ?? noun, ...also, ...shows, ...Object.values(showsIn).flat(), found?.detail ?? noun, ...refreshed]
        for (const other of named) {
          expect(ids).toContain(other)
          // Events never use another spelling of a noun.
          expect(nounOf(other)?.of === undefined || other === noun, other).toBe(true)
        }
        if (parent) expect(nounOf(parent)?.restores, parent).toBeDefined()
        for (const verb of Object.keys(showsIn)) expect(calls).toHaveProperty([`${noun}.${verb}`])
      },
      idOf,
    )
  })

  test('has screens and lists that are routes', () => {
    checkRows(
      rows,
      ([, { screen, listed }]) => {
        if (screen) expect(rowOf(screen as (typeof routeIds)[number]).path).toContain('{id}')
        if (listed) expect(routeIds).toContain(listed)
      },
      idOf,
    )
  })

  test('has reads that take only an id', () => {
    checkRows(
      rows.filter(([, { reads }]) => reads),
      ([, { reads }]) => {
        const call = calls[reads as 'client.get']
        expect(call.method).toBe('GET')
        expect(call.input.safeParse({ id: 7 }).success).toBe(true)
        expect(call.input.safeParse({}).success).toBe(false)
      },
      idOf,
    )
  })

  test('has words for everything commands act on and screens show', () => {
    const acted = commandIds().flatMap((id) => {
      const { on } = commandOf(id)
      return on === 'nothing' ? [] : on
    })
    const shown = routeIds.flatMap((id) => (rowOf(id) as { subject?: string }).subject ?? [])
    for (const kind of [...acted, ...shown]) expect(nounOf(kind)?.words, kind).toHaveLength(2)
  })

  test('has a screen and an icon for everything the palette finds', () => {
    for (const noun of nounsWith((row) => row.found)) {
      const { screen, listed, icon } = nounOf(noun)!
      // A view opens the list whose state it stores.
      if (noun !== 'view') expect(screen ?? listed, noun).toBeDefined()
      expect(icon, noun).toBeDefined()
    }
  })

  test('has an existing icon for every noun', () => {
    const first = ['bookmark', 'list', 'visits']
    for (const [noun, { icon }] of rows) if (icon) expect([...Object.keys(MORE), ...first], noun).toContain(icon)
  })
})

test('every call that deletes can be undone, which restores the record and its links', () => {
  /** Sessions can't be restored, a vendor's withdrawal is final, and `filter.delete` is an older spelling by GET. */
  const FOR_GOOD = ['session.signOut', 'account.endSession', 'account.endOtherSessions', 'runtime.withdraw', 'filter.delete']
  const deletes = Object.entries<Call>(calls).filter(([id, { method }]) => method === 'DELETE' || /\.(?:remove|delete)/.test(id))
  expect(deletes.filter(([, { undo }]) => !undo).map(([id]) => id)).toEqual(expect.arrayContaining(FOR_GOOD))
  expect(deletes.filter(([id, { undo }]) => !undo && !FOR_GOOD.includes(id))).toEqual([])
})

test('a noun has a restore, and the deletion it reverses, exactly if its row says so', () => {
  const own = nounsWith(({ restores }) => restores === 'own').map((noun) => `${noun}.restore`)
  // These bring back an earlier version and an item's review.
  const others = ['target.restore', 'content.restore']
  const made = Object.keys(calls).filter((id) => id.endsWith('.restore') && !others.includes(id))
  expect(made.sort()).toEqual([...RESTORED.map((noun) => `${noun}.restore`), ...own].sort())
  for (const id of made) {
    const { path, method, undo } = calls[id as 'team.restore'] as Call
    expect([method, path.endsWith('/restore'), undo], id).toEqual(['POST', true, true])
    expect(calls).toHaveProperty([id.replace('.restore', '.remove')])
  }
})

test('unique names keep the numbers of their locks, which releases running side by side share', () => {
  const turns = nounsWith(({ unique }) => unique).map((noun) => [noun, nounOf(noun)?.unique?.lock])
  expect(Object.fromEntries(turns)).toMatchObject({ client: 0, partner: 1, team: 2, group: 3, reward: 4, vip: 5 })
  expect(new Set(turns.map(([, lock]) => lock)).size).toBe(turns.length)
})

describe('a noun is named', () => {
  test('by its words', () => {
    expect([wordOf('campaign'), wordOf('entry', true), wordOf('activity', true)]).toEqual([
      'survey project',
      'rewards',
      'activities',
    ])
  })
  test('as people call its records where history differs, or by its id without words', () => {
    expect([wordOf('outbox'), wordOf('runtime'), wordOf('nonsense', true)]).toEqual(['email', 'runtime', 'nonsense'])
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
  test('has words only for existing calls and recorded commands', () => {
    // Partners' pages make the first call; the server itself writes the others.
    const written = ['proffer.create', 'session.refused', 'webhook.disable']
    const known = new Set<string>([...Object.keys(calls), ...commandIds(), ...written])
    for (const action of Object.keys(HISTORY_WORDS)) expect(known).toContain(action)
  })
  test('describes the plain verbs of a noun with words', () => {
    expect([historyWords('partner.create'), historyWords('view.remove'), historyWords('market.edit')]).toEqual([
      'added the partner',
      'deleted the saved view',
      undefined,
    ])
  })
  test('has words for what a client does with a quote', () => {
    expect(['project.quoteOpened', 'project.approve', 'project.reject', 'project.ask'].map(historyWords)).toEqual([
      'opened the quote',
      'approved the quote',
      'rejected the quote or project',
      'asked a question',
    ])
  })
  test('puts the action after the name, and omits what it has no words for', () => {
    expect([historyWords('project.setCost'), historyWords('project.toString'), historyWords('toString')]).toEqual([
      'set the cost',
      undefined,
      undefined,
    ])
  })
})

describe('an action without a command is named, for its undo,', () => {
  test('as the command of the same id, else by noun and verb', () => {
    const edits = [
      'client.edit',
      'organization.edit',
      'request.create',
      'file.uploadDocument',
      'client.editLocationGroup',
    ] as const
    expect(edits.map(titleOf)).toEqual([
      'Rename client',
      'Change an organization setting',
      'New request',
      'Upload document',
      'Edit location group',
    ])
  })
})
