import { describe, expect, test } from 'vitest'
import {
  ACCESS,
  type ActionId,
  allowedActions,
  isAboutCaller,
  ON_SCREEN,
  RECORD_RULES,
  type RecordKind,
  refusedTo,
  ruleOf,
} from '../../contract/access.ts'
import { type Actor, ADMIN_ONLY } from '../../contract/actor.ts'
import { calls } from '../../contract/calls.ts'
import { IMPORT_ROW_KINDS, IMPORT_STATUSES } from '../../contract/importWords.ts'
import { nounOf as nounRow, nounsWith } from '../../contract/nounOf.ts'
import type { NounId } from '../../contract/nouns.ts'
import type { ProjectFacts } from '../../contract/projectAccess.ts'
import type { ProfferFacts } from '../../contract/recordAccess.ts'
import { denialBy, type Rule } from '../../contract/rule.ts'
import { STATUSES } from '../../contract/status.ts'
import type { Role } from '../../contract/vocabulary.ts'
import { mayRun } from '../../src/commands/availability.ts'
import { commandIds, commandOf } from '../support/commands.ts'
import { sourceOf, sourcesOf } from '../support/graph.ts'
import { checkRows } from './rows.ts'

const actions = Object.keys(ACCESS) as ActionId[]
const actor = (role: Role, id = 1): Actor => ({ id, role, admin_id: null })
const nounOf = (id: string) => id.split('.')[0]!
/** Prefixes of actions' ids that aren't nouns. */
const SCREENS = ['docsign', 'receivers', 'palette', 'live']

describe('the access table', () => {
  test('has a rule for every call', () => {
    expect(Object.keys(calls).filter((id) => !Object.hasOwn(ACCESS, id))).toEqual([])
  })

  test('has a rule for every command beyond opening screens and personal settings', () => {
    const without = commandIds().filter((id) => {
      const { screen, access } = commandOf(id)
      return !screen && !access && !Object.hasOwn(ACCESS, id) && !(ON_SCREEN as readonly string[]).includes(nounOf(id))
    })
    expect(without).toEqual([])
  })

  test('has a rule for every command on a record: for its kind, or for all who may run it', () => {
    const without = commandIds().flatMap((id) => {
      const { on, rule, group } = commandOf(id)
      if (on === 'nothing' || group === 'screens') return []
      const rules = rule === null ? [] : [rule ?? id].flat()
      return [on].flat().flatMap((kind) => {
        const known = Object.keys(RECORD_RULES[kind])
        return rules.length === 0 || known.length === 0 || rules.some((one) => known.includes(one)) ? [] : [`${id} on ${kind}`]
      })
    })
    expect(without).toEqual([])
  })

  /** Nouns without actions, which are only rows of other nouns' reads. */
  const ROWS = ['respondent']

  test('has rules for every noun: its own, those of the noun it belongs to, or those of nouns that belong to it', () => {
    const ruled = new Set<string>(actions.map(nounOf))
    const near = (noun: NounId) => [noun, nounRow(noun)?.of ?? noun, ...nounsWith(({ of }) => of === noun)]
    expect(nounsWith(({ words }) => words).filter((noun) => !near(noun).some((one) => ruled.has(one)))).toEqual(ROWS)
    expect(actions.filter((id) => !nounRow(nounOf(id)) && !SCREENS.includes(nounOf(id)))).toEqual([])
  })

  test('has no unused rule', () => {
    const texts = [...sourcesOf('src'), ...sourcesOf('server')].map(sourceOf).join('\n')
    const named = (id: string) =>
      Object.hasOwn(calls, id) || (commandIds() as readonly string[]).includes(id) || texts.includes(`'${id}'`)
    expect(actions.filter((id) => !named(id))).toEqual([])
  })

  test('exempts no noun whose commands write', () => {
    const writes = commandIds().filter(
      (id) => (ON_SCREEN as readonly string[]).includes(nounOf(id)) && commandOf(id).undo === 'restores',
    )
    expect(writes).toEqual([])
  })
})

/** Facts of each kind of record whose rules depend on it, one for each distinction the rules make. */
const project = (more: Partial<ProjectFacts>): ProjectFacts => ({
  id: 1,
  generation: 'project',
  status: 'requirements',
  ordered: 100,
  start_dt: '2026-01-01',
  end_dt: '2026-12-31',
  cost_cents: 100_00,
  has_partner: true,
  needs_survey: false,
  has_survey: false,
  quote_valid_until: null,
  quote_sent: true,
  quote_again: false,
  requested_by: 2,
  approves: true,
  pending_rewards: 1,
  has_results: false,
  has_team: false,
  has_children: false,
  today: '2026-06-01',
  ...more,
})
const PROJECTS = STATUSES.map((status) => project({ status }))
/** A client's project in every state of its request and quote. */
const CLIENT_PROJECTS = STATUSES.flatMap((status) =>
  [true, false].flatMap((has_partner) =>
    [true, false].flatMap((quote_sent) =>
      [true, false].map((quote_again) => project({ status, has_partner, quote_sent, quote_again, cost_cents: null })),
    ),
  ),
)
const ENTRIES = ['pending', 'processing', 'sent', 'rejected'].map((status) => ({
  status,
  amount_cents: 500,
  allowed_amounts: [],
}))
const PROFFERS = [
  {},
  { open: false },
  { open: false, priced: false },
  { revoked: true },
  { answer: 'no' },
  { answer: 'yes' },
  { answer: 'yes', offered: true },
  { answer: 'yes', offered: true, ended: '2026-05-01' },
  { has_email: false },
  { remind_from: '3:05 PM' },
].map(
  (more): ProfferFacts => ({
    ...{ name: 'Acme Panel', open: true, priced: true, revoked: false, answer: null, offered: false, ended: null },
    ...{ has_email: true, remind_from: null },
    ...(more as Partial<ProfferFacts>),
  }),
)
const FACTS: Partial<Record<RecordKind, readonly unknown[]>> = {
  project: PROJECTS,
  campaign: PROJECTS,
  entry: ENTRIES,
  receiver: ENTRIES,
  user: [
    ...['invited', 'active'].map((status) => ({ id: 9, role: 'client', status, last_admin: false })),
    { id: 9, role: 'admin', status: 'active', last_admin: true },
  ],
  client: [{ running_projects: 0 }, { running_projects: 2 }],
  teamProject: [{ inherits: false }, { inherits: true }],
  partner: [{ awaited: 0 }, { awaited: 1 }],
  content: ['open', 'accepted', 'rejected'].map((review) => ({ action: 'photo', review, filed: true, picture: true })),
  proffer: PROFFERS,
  quota: ['draft', 'live', 'ended'].map((state) => ({ state })),
  entryLink: ['test', 'active', 'paused'].map((state) => ({ state })),
  invitation: PROFFERS,
  activity: [
    { type: 'survey', survey_id: 88, completes: 1204, responses: 1300, project_status: 'active' },
    { type: 'survey', survey_id: 88, completes: 0, responses: 1, project_status: 'approved' },
    { type: 'survey', survey_id: 88, completes: 0, responses: 0, project_status: 'completed' },
    { type: 'photo', survey_id: null, completes: 0, responses: 0, project_status: 'rejected' },
  ],
  view: [{ mine: true }, { mine: false }],
  webhook: ['active', 'paused', 'disabled'].flatMap((status) => [1, 2].map((owner_id) => ({ owner_id, status }))),
  delivery: ['queued', 'failed', 'delivered'].flatMap((status) =>
    ['active', 'paused'].map((webhook_status) => ({ owner_id: 1, status, webhook_status })),
  ),
  token: ['valid', 'revoked'].map((status) => ({ owner_id: 1, status })),
  survey: [{ responses: 0 }, { responses: 1 }, { responses: 1204 }],
  desk: ['open', 'acknowledged', 'snoozed'].map((state) => ({ state })),
  notification: ['draft', 'sending', 'sent'].map((status) => ({ status, sent_on: 'Nov 3' })),
  question: [
    { question_type: 'survey', retired: false },
    { question_type: 'profile', retired: false },
    { question_type: 'survey', retired: true },
  ],
  file: [
    { kind: 'asset', signed: 0 },
    { kind: 'docsign', signed: 1 },
  ],
  job: ['queued', 'running', 'done', 'failed', 'cancelled'].map((status) => ({
    kind: 'export',
    status,
    until_start: false,
    again: true,
    made_file: true,
    theirs: true,
  })),
  import: (['location', 'reward'] as const).flatMap((kind) =>
    IMPORT_STATUSES.flatMap((status) => [0, 3].map((number) => ({ kind, status, created: number, failed: number }))),
  ),
  fileLine: IMPORT_ROW_KINDS.flatMap((kind) =>
    IMPORT_STATUSES.flatMap((status) => [true, false].map((grouped) => ({ kind, status, grouped }))),
  ),
  mail: [
    ...['queued', 'sending', 'sent', 'outbox', 'failed', 'withdrawn'].map((status) => ({ status })),
    ...(['admin', 'client'] as const).map((opens) => ({ status: 'sent', secret: { state: 'kept', opens } })),
    { status: 'outbox', secret: { state: 'over', opens: null } },
  ],
}

describe('the actions on a record', () => {
  const kinds = Object.keys(RECORD_RULES) as RecordKind[]
  const rulesOf = (kind: RecordKind) => Object.entries(RECORD_RULES[kind]) as [ActionId, Rule][]
  const samplesOf = (kind: RecordKind) => FACTS[kind] ?? [undefined]

  test('are tested with data where a rule reads the record', () => {
    checkRows(kinds, (kind) => {
      expect(Object.hasOwn(FACTS, kind)).toBe(rulesOf(kind).some(([, { when }]) => when))
    })
  })

  test('list every action once for every caller: allowed, or refused with a reason', () => {
    checkRows(kinds, (kind) => {
      const ids = rulesOf(kind).map(([id]) => id)
      for (const role of ['admin', 'client'] as const)
        for (const facts of samplesOf(kind)) {
          const { allowed_actions, refused_actions } = (
            allowedActions as (...given: unknown[]) => ReturnType<typeof allowedActions>
          )(kind, actor(role), facts)
          expect([...allowed_actions, ...Object.keys(refused_actions)].sort()).toEqual(ids.sort())
          expect(Object.values(refused_actions).filter((sentence) => !/^\S.*[^.]$/.test(sentence))).toEqual([])
        }
    })
  })

  test('are refused to client users without a word of partners and what is between them and us', () => {
    checkRows(kinds, (kind) => {
      for (const facts of [...samplesOf(kind), ...(kind === 'project' ? CLIENT_PROJECTS : [])])
        for (const [, rule] of rulesOf(kind))
          expect(denialBy(rule, actor('client', 2), facts as never) ?? '').not.toMatch(/partner|invit|panel|margin|round|offer/i)
    })
  })

  test('let a quote be approved on the last day on which it is valid, and not after it', () => {
    const quote = (quote_valid_until: string) => project({ status: 'submit_approval', quote_valid_until, today: '2026-06-01' })
    const refused = (facts: ProjectFacts) =>
      allowedActions('project', actor('client', 2), facts).refused_actions['project.approve']
    expect(refused(quote('2026-06-01'))).toBeUndefined()
    expect(refused(quote('2026-05-31'))).toBe('the quote expired on 2026-05-31')
  })

  test('are refused to a caller without access as such, whatever the record', () => {
    const rows = kinds.flatMap((kind) => rulesOf(kind).map(([id, rule]) => ({ kind, id, rule })))
    checkRows(
      rows,
      ({ kind, id, rule }) => {
        for (const facts of samplesOf(kind)) {
          const denial = denialBy(rule, actor('client'), facts as never)
          const closed = refusedTo(id, actor('client'))
          if (closed) expect([denial, isAboutCaller(denial!)]).toEqual([closed, true])
          expect(refusedTo(id, actor('admin'))).toBeNull()
        }
      },
      ({ kind, id }) => `${id} on ${kind}`,
    )
  })
})

describe('a role and an action', () => {
  test('a command is disabled for client users exactly where the server refuses them', () => {
    checkRows(actions, (id) => {
      const { who, says } = ruleOf(id)
      const open = who === 'client' || who === 'public'
      expect(refusedTo(id, actor('client'))).toBe(open ? null : (says ?? ADMIN_ONLY))
      if ((commandIds() as readonly string[]).includes(id)) {
        const command = commandOf(id as ReturnType<typeof commandIds>[number])
        if (!command.access) expect(mayRun(id, command, 'client')).toBe(open)
        expect(mayRun(id, command, 'admin')).toBe(true)
      }
    })
  })

  test('the call by which client users decide can’t force a status: that command isn’t theirs', () => {
    expect(refusedTo('project.setStatus', actor('client'))).toBeNull()
    expect(mayRun('project.setStatus', commandOf('project.setStatus'), 'client')).toBe(false)
  })
})

test('the table, not the wording, tells a refusal of the caller from one of the record', () => {
  expect([ADMIN_ONLY, 'only its requester or an administrator can do this'].map(isAboutCaller)).toEqual([true, true])
  expect(isAboutCaller('it is done')).toBe(false)
})
