import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ANONYMOUS } from '../../server/core/caller.ts'
import type { Services } from '../../server/core/context.ts'
import { readSettings } from '../../server/core/settings.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { claimForPaying, payoutKind } from '../../server/domain/payout/payout.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { engine, migratedDatabase } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { COMPILED } from '../support/server.ts'

const COUNT = 1000

async function openOver(env: Record<string, string>): Promise<Services> {
  const services = await createServices(readSettings({ ...env, NODE_ENV: 'test', DEMO: 'none' }), pino({ level: 'error' }))
  return services
}

async function withEntries(services: Services): Promise<number[]> {
  const make = makers(services)
  const project = await make.project({ client_id: (await make.client()).id })
  await make.entries(Array.from({ length: COUNT }, () => ({ project_id: project.id, amount_cents: 500 })))
  return asSystem(services, 'test', ANONYMOUS, async (ctx) => {
    const pending = await ctx.tx.selectFrom('entries').selectAll().execute()
    await claimForPaying(ctx, pending, new Date(Date.now() + 3000).toISOString())
    return pending.map((one) => one.id)
  })
}

const counts = async (services: Services) => {
  const { db } = services.database
  const sent = await db
    .selectFrom('entries')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow()
  const payouts = await db
    .selectFrom('payouts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { sent: Number(sent.n), payouts: Number(payouts.n) }
}

test('a process killed between paying and recording it pays nothing twice, and nobody is forgotten', async () => {
  const env = await migratedDatabase()
  const first = await openOver(env)
  await withEntries(first)
  await closeServices(first)

  const asked = join(env.DATA_DIR, 'asked.txt')
  writeFileSync(asked, '')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/payer.ts')], {
    env: { ...process.env, ...COMPILED, ...env, ASKED: asked, NODE_ENV: 'test', DEMO: 'none' },
    stdio: 'inherit',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const keys = () => readFileSync(asked, 'utf8').split('\n').filter(Boolean)
  await vi.waitFor(() => expect(keys().length).toBeGreaterThanOrEqual(400), { timeout: 15_000, interval: 20 })
  const gone = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGKILL')
  await gone

  const second = await openOver(env)
  onTestFinished(() => closeServices(second))
  const before = await counts(second)
  expect(before.payouts).toBeGreaterThan(before.sent)
  if (engine === 'postgres') {
    // As if a silent worker's half minute had passed, after which its work counts as lost.
    await asSystem(second, 'test', ANONYMOUS, (ctx) =>
      ctx.tx.updateTable('jobs').set({ beat_at: '2020-01-01T00:00:00.000Z' }).where('status', '=', 'running').execute(),
    )
    second.jobs.wake()
  }
  await vi.waitFor(async () => expect((await counts(second)).sent).toBe(COUNT), { timeout: 15_000 })
  expect((await counts(second)).payouts).toBe(COUNT)
  expect(new Set(keys()).size).toBe(keys().length)
}, 60_000)

test('two servers on one database run each job once', async () => {
  if (engine === 'sqlite') return // SQLite has one process, enforced by its data folder's lock.
  const env = await migratedDatabase()
  const houses = [await openOver(env), await openOver(env)]
  onTestFinished(() => Promise.all(houses.map(closeServices)).then(() => {}))
  const runs: number[] = []
  for (const services of houses) {
    services.jobs.define('count', {
      async run(job) {
        runs.push(job.id)
        await delay(5)
        return {}
      },
    })
  }
  const ids = await asSystem(houses[0]!, 'test', ANONYMOUS, async (ctx) => {
    const made = []
    for (let at = 0; at < 40; at++) made.push((await houses[0]!.jobs.add(ctx, { kind: 'count', title: 'Count', input: {} })).id)
    return made
  })
  for (const services of houses) services.jobs.wake()
  for (const id of ids) expect((await houses[0]!.jobs.settled(id, 10_000)).status).toBe('done')
  expect([...runs].sort((a, b) => a - b)).toEqual(ids)
})

test('entries held by no live job are picked up again', async () => {
  const services = await openOver(await migratedDatabase())
  onTestFinished(() => closeServices(services))
  const ids = await withEntries(services)
  await asSystem(services, 'test', ANONYMOUS, async (ctx) => {
    await ctx.tx.deleteFrom('jobs').execute()
    await ctx.tx
      .updateTable('entries')
      .set({ claimed_at: '2020-01-01T00:00:00.000Z' })
      .where('id', 'in', ids.slice(0, 3))
      .execute()
  })
  await payoutKind.sweep?.(services)
  await vi.waitFor(async () => expect((await counts(services)).sent).toBe(3), { timeout: 5000 })
})
