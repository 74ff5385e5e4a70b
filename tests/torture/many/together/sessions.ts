import assert from 'node:assert/strict'
import { PASSWORD } from '../fleet.ts'
import { call, send } from '../send.ts'
import { by, count, everywhere, isOk, type Kept, newLine, statuses, tokensOf } from './promise.ts'

/** TABLE  callers, and their rate limits. */
export const SESSIONS: Kept[] = [
  {
    name: 'a session opened by one is good at all, and ended by one it is over at all at once',
    async hold(fleet) {
      const email = fleet.admin.email
      const signIn = () => call(fleet.proxy.url, 'session.signIn', { email, password: PASSWORD }, { from: newLine() })
      const [first, second] = [await signIn(), await signIn()]
      isOk(first)
      const [one, other] = [tokensOf(first.headers), tokensOf(second.headers)]
      assert.deepEqual(
        statuses(await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: one }))),
        [200, 200, 200],
      )
      isOk(await call(by(fleet, 1), 'session.signOut', {}, { headers: one }))
      assert.deepEqual(
        statuses(await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: one }))),
        [401, 401, 401],
      )
      isOk(await call(by(fleet, 2), 'account.endOtherSessions', {}, { headers: other }))
      const left = await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: fleet.headers }))
      assert.deepEqual(statuses(left), [401, 401, 401])
      fleet.headers = other
    },
  },
  {
    name: 'wrong passwords are counted together, and an address that the caller made up counts for nothing',
    async hold(fleet) {
      const { email } = await fleet.make.user()
      const from = newLine()
      const wrong = (at: string, lie: number) =>
        send(`${at}/v3/portal/auth/sign_in`, {
          method: 'POST',
          body: { email, password: 'Wrong-1!' },
          headers: { 'x-forwarded-for': `203.0.113.${lie}` },
          from,
        })
      // All at once: sixteen attempts at a limit of eight.
      const tries = await Promise.all(Array.from({ length: 16 }, (_, nth) => wrong(fleet.proxy.url, nth)))
      assert.ok(new Set(tries.map((answer) => answer.by)).size === fleet.servers.length, 'not every process was tried')
      assert.equal(count(tries, 401), 8)
      assert.equal(count(tries, 429), 8)
      const after = await Promise.all([1, 2, 3].map((lie) => wrong(fleet.proxy.url, 90 + lie)))
      assert.deepEqual(statuses(after), [429, 429, 429])
    },
  },
  {
    name: 'a limit by address is one limit for all',
    async hold(fleet) {
      const forgot = (from: string) => call(fleet.proxy.url, 'session.forgot', { email: 'nobody@mail.test' }, { from })
      const line = newLine()
      const answers = await Promise.all(Array.from({ length: 15 }, () => forgot(line)))
      assert.equal(count(answers, 200), 10)
      assert.equal(count(answers, 429), 5)
      isOk(await forgot(newLine()))
    },
  },
]
