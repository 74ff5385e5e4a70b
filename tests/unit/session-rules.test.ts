import { expect, test } from 'vitest'
import {
  type ArrivalFacts,
  decideEntry,
  effectOf,
  entryText,
  exitAddress,
  outcomeText,
  readEntry,
  trafficShares,
  whyOf,
} from '../../contract/sessionRules.ts'
import { checkSignature, signatureFor } from '../../server/domain/fieldSession/signing.ts'

const KEY = 'fws_test_key_0001'
const RID = '01JDVX0000FIELDWORK0000001'
const T = 1764408000

test('signatures are as the two vectors say', () => {
  expect(signatureFor(KEY, outcomeText(RID, 'complete', T))).toBe('QONUYWpPzqDwldtG5l0FxM-IyHpfddk2gWwd1-DUP8U')
  expect(signatureFor(KEY, outcomeText(RID, 'terminate', T))).toBe('rQs9TeFT2gLkKHUmzGrrUsi3-vyZaX7pf9MKJ8ccLZM')
})

test('a signature counts by any secret within its grace', () => {
  const text = (t: number) => entryText('token', 'p1', t)
  const check = (more: object) =>
    checkSignature(['new', KEY], text, { t: T, sig: signatureFor(KEY, text(T)), now: new Date(T * 1000), grace: 900, ...more })
  expect(check({})).toBe('fine')
  expect(check({ now: new Date((T + 900) * 1000) })).toBe('fine')
  expect(check({ now: new Date((T + 901) * 1000) })).toBe('stale')
  expect(check({ now: new Date((T - 901) * 1000) })).toBe('stale')
  expect(check({ t: T + 1 })).toBe('wrong')
  expect(check({ sig: 'x' })).toBe('wrong')
  expect(check({ sig: undefined })).toBe('missing')
})

const FINE: ArrivalFacts = {
  ...{ live: true, signature: 'fine', minute: 0, most: 600, excluded: false, repeat: 'none', quota: null },
}
test('the first check that fails decides an entry', () => {
  const all: Partial<ArrivalFacts>[] = [
    { live: false },
    { signature: 'wrong' },
    { minute: 600 },
    { excluded: true },
    { repeat: 'over' },
    { quota: 'cell:7' },
  ]
  const reasons = ['closed', 'bad_link', 'too_many', 'excluded', 'duplicate', 'cell:7']
  for (const [at, reason] of reasons.entries()) {
    const facts = Object.assign({ ...FINE }, ...all.slice(at)) as ArrivalFacts
    expect(decideEntry(facts)?.reason).toBe(reason)
  }
  expect(decideEntry(FINE)).toBeNull()
  expect(decideEntry({ ...FINE, signature: 'stale' })?.reason).toBe('stale_signature')
  expect(decideEntry({ ...FINE, repeat: 'inside' })).toEqual({ check: 'resumes', outcome: 'resume', reason: 'resumed' })
})

test('the stronger proof stays, and an unsigned complete is only claimed', () => {
  const inside = { state: 'admitted', proof: 'none' } as const
  expect(effectOf(inside, 'complete', 'none')).toBe('claims')
  expect(effectOf(inside, 'terminate', 'none')).toBe('ends')
  expect(effectOf(inside, 'complete', 'redirect')).toBe('ends')
  expect(effectOf({ state: 'abandoned', proof: 'none' }, 'complete', 's2s')).toBe('ends')
  const done = { state: 'complete', proof: 'redirect' } as const
  expect(effectOf(done, 'complete', 's2s')).toBe('proves')
  expect(effectOf(done, 'complete', 'none')).toBe('repeats')
  expect(effectOf({ ...done, proof: 's2s' }, 'complete', 'redirect')).toBe('repeats')
  expect(effectOf(done, 'terminate', 's2s')).toBe('contradicts')
})

test('traffic is as the worked example says', () => {
  const counts = { entrants: 1125, in_survey: 0, complete: 306, terminate: 518, quota_full: 128, security: 0, abandoned: 173 }
  expect(trafficShares({ ...counts, cost_cents: 306 * 480 })).toEqual({
    incidence: 54,
    incidence_screened: 37.1,
    conversion: 27.2,
    drop_off: 36.1,
    epc_cents: 131,
  })
})

test('an exit’s placeholders are escaped, and strange parameters are named', () => {
  const values = { pid: 'a&b=<i>', rid: RID, outcome: 'complete', reason: '', t: '1', sig: 's' }
  expect(exitAddress('https://p.test/x?id={pid}&o={outcome}&z={other}', values)).toBe(
    'https://p.test/x?id=a%26b%3D%3Ci%3E&o=complete&z={other}',
  )
  expect(readEntry({ psid: ' p1 ', age: '3', utm: 'x', pid: 'y' }, { pid: 'psid' })).toEqual({
    values: { pid: 'p1', age: '3' },
    ignored: ['utm', 'pid'],
  })
})

test('why a session ended so is one sentence', () => {
  expect(whyOf({ state: 'quota_full', reason: 'cell:7', cell: 'Women' })).toBe('The quota “Women” had no place.')
  expect(whyOf({ state: 'security', reason: 'duplicate' })).toBe('This person had a session here already, which was over.')
  expect(whyOf({ state: 'terminate', reason: 'Q4' })).toBe('The survey screened this person out. It said: Q4')
  expect(whyOf({ state: 'complete', reason: 'constructor' })).toBe('This person completed the survey. It said: constructor')
})
