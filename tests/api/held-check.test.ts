import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PASSWORD, signIn } from './signing.ts'
import type { Fieldwork } from './support.ts'

/** Hashes whose comparison is delayed. The library still compares them; the test only chooses the moment. */
const held = vi.hoisted(() => new Map<string, () => Promise<void>>())
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>()
  return {
    ...argon2,
    async verify(stored: string, password: string) {
      await held.get(stored)?.()
      return argon2.verify(stored, password)
    },
  }
})

// A worker loads the server's modules once for all files; this file loads its own, with the mocked library.
let app: Fieldwork
let hashPassword: (password: string) => Promise<string>
let known: string
beforeAll(async () => {
  vi.resetModules()
  ;({ hashPassword } = await import('../../server/core/passwords.ts'))
  app = await (await import('./support.ts')).fieldwork()
  known = await hashPassword(PASSWORD)
})
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})

const NEXT = 'Next-pass-1'
/** Delays this account's next password check between reading the hash and comparing it, until `goOn`. */
function heldCheck(password_hash: string) {
  let begun = () => {}
  let goOn = () => {}
  const started = new Promise<void>((resolve) => {
    begun = resolve
  })
  const released = new Promise<void>((resolve) => {
    goOn = resolve
  })
  held.set(password_hash, () => {
    begun()
    return released
  })
  return { started, goOn: () => goOn() }
}
const changed = (id: number, password_hash: string) =>
  app.write((tx) => tx.updateTable('users').set({ password_hash }).where('id', '=', id).execute())

describe('a password changed during a check of the old one', () => {
  test('opens no session', async () => {
    const password_hash = await hashPassword(PASSWORD)
    const user = await app.make.user({ role: 'admin', password_hash })
    const check = heldCheck(password_hash)
    const trying = signIn(app, user.email)
    await check.started
    await changed(user.id, known)
    check.goOn()
    expect((await trying).status).toBe(401)
    expect(await app.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toEqual([])
  })

  test('isn’t overwritten by somebody who knew the old one', async () => {
    const before = await hashPassword(PASSWORD)
    const user = await app.make.user({ role: 'admin', password_hash: before })
    const person = await app.signIn(user)
    const check = heldCheck(before)
    const trying = person.call('session.setPassword', { password: NEXT, password_confirmation: NEXT, current_password: PASSWORD })
    await check.started
    await changed(user.id, known)
    check.goOn()
    expect((await trying).body.fields).toHaveProperty('current_password')
    const { password_hash } = await app.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(password_hash).toBe(known)
  })
})
