import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, transact } from '../../../server/db/connect.ts'
import type { Smtp } from '../../support/smtp.ts'
import type { Promised } from './work.ts'

const COUNTED = ['completes', 'terminates', 'overquota', 'partials'] as const

/** Waits until no job, reward or email is in progress, at most this many ms. */
export async function untilSettled(database: Database, atMost: number): Promise<void> {
  const began = performance.now()
  // A killed sender's email waits for its ten-minute lease; end it now.
  await transact(database, (tx) =>
    tx.updateTable('mails').set({ not_before: new Date().toISOString() }).where('status', '=', 'sending').execute(),
  )
  for (;;) {
    const { db } = database
    const left = await Promise.all([
      db.selectFrom('jobs').select('id').where('status', 'in', ['queued', 'running']).execute(),
      db.selectFrom('entries').select('id').where('status', '=', 'processing').execute(),
      db.selectFrom('mails').select('id').where('status', 'in', ['queued', 'sending']).execute(),
    ])
    if (left.every((rows) => rows.length === 0) || performance.now() - began > atMost) return
    await delay(250)
  }
}

/** Compares the database with everything promised; returns the broken promises. */
export async function reckon(database: Database, promised: Promised, ledger: string, smtp: Smtp): Promise<string[]> {
  const faults = [...promised.faults]
  const { db } = database
  const must = (holds: boolean, sentence: string) => void (holds || faults.push(sentence))

  const notes = Map.groupBy(await db.selectFrom('notes').select(['id', 'note']).execute(), (row) => row.note)
  for (const [note, acknowledged] of promised.notes) {
    const found = notes.get(note)?.length ?? 0
    must(
      found === 1 || (found === 0 && !acknowledged),
      `${note} was ${acknowledged ? 'acknowledged' : 'sent'} and is there ${found} times`,
    )
  }
  for (const note of promised.denied) must(!notes.has(note), `${note} was refused with "Nothing was changed" and is there`)
  const mails = await db
    .selectFrom('history')
    .select('subject_id')
    .where('subject', '=', 'note')
    .where('action', '=', 'note.create')
    .execute()
  const written = new Set(mails.map((row) => row.subject_id))
  const all = [...notes.values()].flat()
  must(
    all.every((note) => written.has(note.id)) && mails.length === all.length,
    `${all.length} notes and ${mails.length} lines of their history`,
  )

  for (const [id, { acknowledged, later }] of promised.descriptions) {
    const row = await db
      .selectFrom('projects')
      .select(['description', 'lock_version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const from = later.indexOf(acknowledged)
    must(
      later.indexOf(row.description) >= from - 2,
      `project ${id} says "${row.description}", "${acknowledged}" was acknowledged later`,
    )
    const lines = await db
      .selectFrom('history')
      .select('id')
      .where('subject', '=', 'project')
      .where('subject_id', '=', id)
      .where('action', '=', 'project.edit')
      .execute()
    must(
      lines.length === row.lock_version - 1,
      `project ${id} was changed ${row.lock_version - 1} times and has ${lines.length} lines of history`,
    )
  }
  await reckonRespondents(database, promised, must)
  await reckonPayouts(database, promised, ledger, must)

  const users = new Set((await db.selectFrom('users').select('email').execute()).map((row) => row.email))
  for (const email of promised.denied) must(!users.has(email), `${email} was refused with "Nothing was changed" and is there`)
  const came = new Set(smtp.mails.flatMap((mail) => mail.envelope.to))
  for (const [email, acknowledged] of promised.invited) {
    if (!acknowledged && !users.has(email)) continue
    must(users.has(email), `the invitation of ${email} was acknowledged and is lost`)
    must(came.has(email), `the mail to ${email} never came`)
  }
  const open = await db
    .selectFrom('jobs')
    .select(['id', 'status', 'attempts', 'error'])
    .where('status', 'in', ['queued', 'running', 'failed'])
    .execute()
  for (const job of open)
    must(job.status === 'failed' && job.error !== '', `job ${job.id} is ${job.status} after ${job.attempts} tries`)
  if (database.engine === 'sqlite') {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
    must(rows[0]?.integrity_check === 'ok', `the file is damaged: ${JSON.stringify(rows[0])}`)
  }
  return faults
}

async function reckonRespondents(database: Database, promised: Promised, must: (holds: boolean, sentence: string) => void) {
  const { db } = database
  for (const [survey, ids] of promised.respondents) {
    const stored = await db
      .selectFrom('respondents')
      .select(['respondent_id', 'outcome'])
      .where('survey_id', '=', survey)
      .execute()
    const known = new Set(stored.map((row) => row.respondent_id))
    for (const [id, acknowledged] of ids) must(known.has(id) || !acknowledged, `respondent ${id} was acknowledged and is lost`)
    const recount = COUNTED.map((outcome) => stored.filter((row) => row.outcome === outcome).length)
    const sums = (table: 'day_cells' | 'demo_cells', total: boolean) => {
      let query = db.selectFrom(table as 'day_cells').where('survey_id', '=', survey)
      query = query.where('cell', total ? '=' : '>=', total ? -1 : 0)
      return query.select((eb) => COUNTED.map((outcome) => eb.fn.sum<number>(outcome).as(outcome))).executeTakeFirstOrThrow()
    }
    for (const [name, row] of [
      ['by day', await sums('day_cells', true)],
      ['by demography', await sums('demo_cells', false)],
    ] as const) {
      const counted = COUNTED.map((outcome) => Number(row[outcome] ?? 0))
      must(String(counted) === String(recount), `survey ${survey}: the counters ${name} say ${counted}, a recount ${recount}`)
    }
    const squares = await db
      .selectFrom('geo_squares')
      .select((eb) => eb.fn.sum<number>('completes').as('completes'))
      .where('survey_id', '=', survey)
      .executeTakeFirstOrThrow()
    must(
      Number(squares.completes ?? 0) === recount[0],
      `survey ${survey}: the map counts ${squares.completes}, a recount ${recount[0]}`,
    )
    const project = await db
      .selectFrom('surveys')
      .innerJoin('projects', 'projects.id', 'project_id')
      .select(['projects.id', 'delivered'])
      .where('surveys.id', '=', survey)
      .executeTakeFirstOrThrow()
    must(project.delivered === recount[0], `project ${project.id} says ${project.delivered} delivered, a recount ${recount[0]}`)
  }
}

async function reckonPayouts(
  database: Database,
  promised: Promised,
  ledger: string,
  must: (holds: boolean, sentence: string) => void,
) {
  const { db } = database
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').filter(Boolean) : []
  const paid = Map.groupBy(lines, (line) => Number(line.split(' ')[0]))
  const entries = await db
    .selectFrom('entries')
    .leftJoin('payouts', 'payouts.entry_id', 'entries.id')
    .select(['entries.id', 'status', 'payouts.entry_id as paid'])
    .execute()
  for (const entry of entries) {
    const times = paid.get(entry.id)?.length ?? 0
    must(times <= 1, `reward ${entry.id} was paid ${times} times`)
    must((times === 1) === (entry.status === 'sent'), `reward ${entry.id} is ${entry.status} and was paid ${times} times`)
    must(
      (entry.paid !== null) === (entry.status === 'sent'),
      `reward ${entry.id} is ${entry.status} and has ${entry.paid ? 'a' : 'no'} payout`,
    )
    must(entry.status === 'pending' || entry.status === 'sent', `reward ${entry.id} was left ${entry.status}`)
    if (promised.unpaid.has(entry.id))
      must(entry.status === 'pending', `reward ${entry.id} was refused with "Nothing was changed" and is ${entry.status}`)
    if (promised.redeemed.get(entry.id))
      must(entry.status === 'sent', `reward ${entry.id} was acknowledged and is ${entry.status}`)
  }
}
