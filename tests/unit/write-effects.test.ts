import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { ACCESS, type ActionId, refusedTo } from '../../contract/access.ts'
import { type Call, EffectSentence } from '../../contract/call.ts'
import { type CallId, calls, type Output } from '../../contract/calls.ts'
import type { Sentence } from '../../contract/effectText.ts'
import { HISTORY_WORDS, historyWords } from '../../contract/history.ts'
import { nounsWith } from '../../contract/nounOf.ts'
import { STATUSES } from '../../contract/status.ts'
import {
  clauseOf,
  copyFacts,
  type Effect,
  type EffectId,
  effectOf,
  findEffect,
  joinClauses,
  OWN_EFFECTS,
  sentenceOf,
  statusEffect,
  verbOf,
} from '../../contract/writeEffects.ts'
import type { Result } from '../../src/commands/command.ts'

const PLAIN = nounsWith((row) => row.words).flatMap((noun) =>
  ['create', 'edit', 'remove', 'restore'].map((verb) => `${noun}.${verb}` as EffectId),
)
const IDS = [...new Set<EffectId>([...OWN_EFFECTS, ...PLAIN])]
const every: [string, Effect][] = [
  ...IDS.map((id): [string, Effect] => [id, effectOf(id)]),
  ...STATUSES.map((status): [string, Effect] => [status, statusEffect(status)]),
]
const NAMED = { name: 'Wave 12', rest: ' to Ana Diaz' }
const SEVERAL = { count: 1200, noun: 'project', left: 2, seconds: 10 } as const

describe('an effect', () => {
  test('says the same facts before and after, and differs in its verb alone', () => {
    const facts = (sentence: string, verb: string) => sentence.replace(verb, '…')
    for (const [id, effect] of every)
      for (const about of [NAMED, { ...SEVERAL, seconds: undefined }]) {
        const one = 'name' in about
        const [before, after] = [clauseOf(effect, about as never, 'before'), clauseOf(effect, about as never, 'after')]
        expect(before, id).not.toBe(after)
        expect(facts(before, verbOf(effect, 'before', one)), id).toBe(facts(after, verbOf(effect, 'after', one)))
      }
  })
  test('says that it hasn’t happened in a dry run, and when it starts', () => {
    for (const [id, effect] of every) {
      expect(sentenceOf(effect, NAMED, 'before'), id).toBe(`“Wave 12” would ${effect.be} to Ana Diaz.`)
      expect(sentenceOf(effect, SEVERAL, 'soon'), id).toBe(`1,200 projects will ${effect.be} in 10 seconds, 2 left as they were.`)
      expect(sentenceOf(effect, NAMED, 'after'), id).not.toMatch(/\bwould\b/)
    }
  })
  test('has its phrase of the history in the same row, and in no other table', () => {
    for (const id of IDS) expect(historyWords(id) ?? null, id).toBe(effectOf(id).did)
    for (const action of Object.keys(HISTORY_WORDS)) {
      expect(findEffect(action), action).toBeUndefined()
      if (Object.hasOwn(calls, action)) expect(Object.keys(UNSAID), action).toContain(action)
    }
  })
  test('is that of every write, which responds with its sentence, or is listed with its reason', () => {
    expect(WRITES.filter((id) => !findEffect(id)).sort()).toEqual(Object.keys(UNSAID).sort())
    const typed = WRITES.filter((id) => !UNSAID[id] && messageOf(id) !== EffectSentence)
    expect(typed).toEqual([])
  })
  test('is that of a call, or has no history', () => {
    for (const id of OWN_EFFECTS) if (effectOf(id).did !== null) expect([...HISTORIC, ...Object.keys(calls)], id).toContain(id)
  })
  test('is described by nothing but the table', () => {
    expectTypeOf<string>().not.toExtend<Sentence>()
    expectTypeOf<{ be: string; now: readonly [string, string]; did: string }>().not.toExtend<Effect>()
    expectTypeOf<'Project deleted'>().not.toExtend<Sentence>()
    expectTypeOf<string>().not.toExtend<Output<'note.create'>['message']>()
    expectTypeOf<string>().not.toExtend<Result['message']>()
  })
  test('tells client users nothing of partners’ prices and shares', () => {
    const theirs = IDS.filter((id) => Object.hasOwn(ACCESS, id) && refusedTo(id as ActionId, { role: 'client' }) === null)
    expect(theirs).toEqual(expect.arrayContaining(['project.approve', 'request.correct', 'project.askQuote']))
    for (const id of [...theirs, 'project.withdraw', 'project.rejectQuote'] as const) {
      const effect = effectOf(id)
      const texts = [sentenceOf(effect, NAMED, 'before'), sentenceOf(effect, NAMED, 'after'), effect.did ?? ''].join(' ')
      expect(texts, id).not.toMatch(/invit|proffer|margin|mix|cpi|share/i)
    }
  })
})

describe('a note of a command, which is any text,', () => {
  test('is no result of a write', () => {
    const folder = resolve(import.meta.dirname, '../../src/commands')
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => readFileSync(join(folder, file), 'utf8').split(/\n {2}(?='[\w.]+': command\()/))
      .flatMap((row) => {
        const id = /^'([\w.]+)'/.exec(row)?.[1]
        return id && /\b(?:write|writeFields|upload)\(/.test(row) && /[{ ]note: (?!ask\.|answers\b)/.test(row) ? [id] : []
      })
    expect(found.sort()).toEqual(Object.keys(NOTED).sort())
  })
})

/** TABLE  command → why it writes and has a note, too. */
const NOTED: Readonly<Record<string, string>> = {
  'import.errors': 'the call makes a link, and the note says what is downloaded',
  'organization.testMail': 'the note is what the mail server said',
  'question.moveTo': 'it was there already, so nothing is written',
  'report.refresh': 'the report has them all, so nothing is written',
  'report.datamap': 'the report was closed, so nothing is written',
  'report.export': 'the report was closed, so nothing is written',
  'report.saveTemplate': 'the report was closed, so nothing is written',
  'target.restore': 'there is no such version, so nothing is written',
  'user.teams': 'the teams are the same, so nothing is written',
}

/** Writes: all methods but GET, and unsafe GETs. */
const WRITES = (Object.keys(calls) as CallId[]).filter((id) => {
  const { method, unsafe } = calls[id] as Call
  return method !== 'GET' || unsafe
})
const messageOf = (id: CallId) => (calls[id] as { output: { shape?: { message?: unknown } } }).output.shape?.message

/** TABLE  write → why it has no sentence. */
const UNSAID: Partial<Record<CallId, string>> = {
  'session.signIn': 'the workspace opens',
  'organization.testMail': 'its message is what the mail server said',
  'outbox.reveal': 'it shows an email',
  'quota.admit': 'a program reads its decision',
  'entryLink.test': 'it returns the exits and changes nothing',
  'fieldSession.seen': 'a program says that somebody is still there',
  'request.check': 'it stores nothing and returns what is wrong',
  'target.check': 'it stores nothing and returns what would change',
  'service.readVenues': 'it stores nothing and returns the venues of a file',
  'location.find': 'it stores nothing and returns locations',
  'reward.importErrors': 'it returns a link',
  'import.errors': 'it returns a link',
  'file.link': 'it returns a link',
  'job.link': 'it returns a link',
  'snapshot.create': 'it returns the id of a layout, which the address shows',
  'usage.record': 'nobody sees it',
}

/** Commands and lines of the history that are no call. */
const HISTORIC = [
  ...['project.pause', 'project.resume', 'project.complete', 'project.reopen', 'project.rejectQuote'],
  'proffer.create',
]

test('a stranger’s name can’t turn the sentence around it', () => {
  expect(sentenceOf(effectOf('team.remove'), { name: 'a\u202eb' }, 'after')).toBe('“ab” was deleted.')
  expect(sentenceOf(effectOf('team.remove'), { name: 'שלום!' }, 'after')).toBe('“\u2068שלום!\u2069” was deleted.')
})

test('sentences name and count as people do', () => {
  const says = (id: EffectId, facts: Parameters<typeof sentenceOf>[1], when: Parameters<typeof sentenceOf>[2] = 'after') =>
    sentenceOf(effectOf(id), facts, when)
  expect(says('entry.redeem', { count: 1, noun: 'entry', left: 1 }, 'before')).toBe('1 reward would be paid, 1 left as it was.')
  expect(says('user.remove', { name: 'Ana Diaz', kind: 'user' })).toBe('Ana Diaz was deleted.')
  expect(says('webhook.pause', { name: 'CRM', noun: 'webhook' })).toBe('Webhook “CRM” is paused.')
  expect(says('group.remove', { count: 2, noun: 'group' })).toBe('2 location groups were deleted.')
  expect(says('partner.create', { noun: 'partner' }, 'before')).toBe('Partner would be created.')
  expect(says('project.goLive', { name: 'Wave 12' })).toBe('Project is Live')
  expect(says('reward.remove', { name: '$5', also: ['1 pending entry keeps it.', ''] })).toBe(
    '“$5” was deleted. 1 pending entry keeps it.',
  )
  expect(says('reward.copy', copyFacts(3, 1), 'before')).toBe(
    '3 rewards would be copied, 1 skipped: the project already has one with this name.',
  )
  expect(
    joinClauses([
      clauseOf(effectOf('service.addUser'), { count: 2, noun: 'user', rest: ' 1 service' }, 'after'),
      clauseOf(effectOf('service.removeUser'), { count: 1, noun: 'user', rest: ' 1 service' }, 'after'),
    ]),
  ).toBe('2 users got 1 service; 1 user lost 1 service.')
})
