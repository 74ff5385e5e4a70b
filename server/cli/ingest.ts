import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decimal } from '../../contract/decimals.ts'
import { count as figure } from '../../contract/format.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings, type Settings } from '../core/settings.ts'
import { connect, type Database, transact } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { type IntakeSurvey, leftOut, onlyNew, openReader, type RowReader, take } from '../domain/runtime/intake.ts'
import { type Line, linesOf } from '../domain/runtime/ndjson.ts'
import type { Respondent } from '../domain/runtime/respondent.ts'
import { Refused } from '../exitMessage.ts'
import { openLive } from '../live/live.ts'
import { runCommand } from '../operatorCommand.ts'
import { ingestVisits } from './ingestVisits.ts'
import { type Counts, openProgress } from './progress.ts'

const BATCH = 5000
const SHOWN = 20
const HELP = `Imports respondents from an NDJSON file into a survey, or visits.

  npm run ingest -- file.ndjson --survey 12
  npm run ingest -- file.ndjson --survey 12 --dry-run   checks and counts only; stores nothing
  npm run ingest -- file.ndjson --survey 12 --strict    refuses lines with unknown fields instead of warning

  npm run ingest -- visits.ndjson --visits --service 12   visits; without --service each line names its own

Each line is one respondent or visit. A line that is already stored counts once, so an interrupted run can simply be repeated.`

const OPTIONS = {
  survey: { type: 'string' },
  visits: { type: 'boolean' },
  service: { type: 'string' },
  'dry-run': { type: 'boolean' },
  strict: { type: 'boolean' },
} as const

type Values = { survey?: string; visits?: boolean; service?: string; 'dry-run'?: boolean; strict?: boolean }

interface Wanted {
  file: string
  survey: number
  visits: boolean
  service?: number
  dry: boolean
  strict: boolean
}

/** Returns the file and the survey or service that the arguments name. */
function readWanted(values: Values, positionals: readonly string[]): Wanted {
  const [file] = positionals
  const visits = values.visits === true
  const survey = Number(values.survey)
  const service = values.service === undefined ? undefined : Number(values.service)
  if (!file) throw new Refused(HELP)
  if (service !== undefined && (!visits || !Number.isInteger(service) || service < 1))
    throw new Refused('Name the service of the visits: --visits --service 12')
  if (!visits && (!Number.isInteger(survey) || survey < 1)) throw new Refused('Name the survey of the respondents: --survey 12')
  if (!existsSync(file) || !statSync(file).isFile()) throw new Refused(`There is no file ${file}.`)
  const how = { dry: values['dry-run'] === true, strict: values.strict === true }
  return { file, survey, visits, ...(service === undefined ? {} : { service }), ...how }
}

interface Run {
  database: Database
  settings: Settings
  survey: IntakeSurvey
  reader: RowReader
  counts: Counts
  dry: boolean
  /** Ids seen by a dry run, which stores nothing. */
  seen: Set<string>
  /** The number of errors printed. */
  printed: number
}

/** Stores a batch in one transaction, with its history row and live events. */
async function takeBatch(run: Run, lines: readonly Line[]): Promise<void> {
  const { database, settings, survey, reader, counts } = run
  const before = reader.refused
  if (lines.some(({ row }) => reader.needsPartners(row))) await reader.readPartners()
  const good = lines.flatMap((line) => reader.read(line.row, line.number) ?? [])
  const refused = reader.refused - before
  for (; run.printed < Math.min(SHOWN, reader.errors.length); run.printed++) {
    const { row, respondent_id, message } = reader.errors[run.printed]!
    const whose = respondent_id === null ? '' : ` (${respondent_id})`
    process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}line ${row}${whose}: ${message}\n`)
  }
  counts.refused += refused
  counts.lines += lines.length
  const taken = run.dry ? await lookAt(run, good) : await keep(database, settings, survey, good, refused)
  counts.added += taken.added
  counts.repeated += taken.repeated
  counts.withdrawn = (counts.withdrawn ?? 0) + taken.withdrawn
  for (const id of taken.withdrawnIds) if (run.printed++ < SHOWN) process.stderr.write(`${id} was withdrawn and is left out\n`)
}

/** What a batch would add. */
async function lookAt({ database, survey, seen }: Run, good: readonly Respondent[]) {
  const { fresh, withdrawnIds } = await onlyNew(
    database,
    database.db,
    survey,
    good.filter(({ id }) => !seen.has(id)),
  )
  for (const { id } of good) if (!withdrawnIds.has(id)) seen.add(id)
  return { added: fresh.length, withdrawnIds, ...leftOut(good, fresh, withdrawnIds) }
}

async function keep(database: Database, settings: Settings, survey: IntakeSurvey, good: readonly Respondent[], refused: number) {
  const live = await openLive({ ...database, listen: async () => async () => {} })
  return transact(database, async (tx) => {
    const { withdrawnIds, ...counted } = await take(database, tx, survey, good, settings.timeZone)
    const result = { ...counted, withdrawnIds }
    if (!counted.added) return result
    const at = new Date().toISOString()
    await tx
      .insertInto('history')
      .values({
        subject: 'survey',
        subject_id: survey.id,
        project_id: survey.project_id,
        action: 'runtime.ingest',
        origin: 'event',
        actor_id: null,
        admin_id: null,
        partner_id: null,
        before: '{}',
        after: JSON.stringify({ ...counted, errors: refused }),
        reason: 'command line',
        at,
      })
      .execute()
    const about = { project_id: survey.project_id, kind: 'counters' as const }
    await live.append(
      tx,
      [
        { noun: 'runtime', id: survey.id, ...about },
        { noun: 'project', id: survey.project_id, ...about },
      ],
      null,
      at,
      'runtime.ingest',
    )
    return result
  })
}

async function run({ file, survey: id, visits, service, dry, strict }: Wanted): Promise<number> {
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const database = connect(
    settings.directUrl ? { url: settings.directUrl, poolSize: 2 } : { file: join(settings.dataDir, 'fieldwork.db') },
  )
  try {
    await migrate(database)
    if (visits) return await ingestVisits(database, settings, { file, service, dry, strict })
    const survey = await database.db
      .selectFrom('surveys')
      .innerJoin('projects', 'projects.id', 'project_id')
      .select(['surveys.id', 'project_id', 'surveys.name', 'projects.name as project'])
      .where('surveys.id', '=', id)
      .where('surveys.deleted_at', 'is', null)
      .where('projects.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!survey) throw new Refused(`There is no survey ${id}.`)
    console.log(`Into survey ${survey.id}, ${survey.name} (${survey.project})`)
    const counts: Counts = { lines: 0, added: 0, repeated: 0, refused: 0 }
    const reader = await openReader(database.db, survey, { strict })
    const run: Run = { database, settings, survey, reader, counts, dry, seen: new Set(), printed: 0 }
    const input = createReadStream(file)
    const progress = openProgress(statSync(file).size)
    const began = performance.now()
    let batch: Line[] = []
    const flush = async () => {
      if (batch.length) await takeBatch(run, batch)
      batch = []
      progress(input.bytesRead, counts)
    }
    for await (const line of linesOf(input)) {
      batch.push(line)
      if (batch.length >= BATCH) await flush()
    }
    await flush()
    const seconds = (performance.now() - began) / 1000
    if (reader.errors.length > SHOWN) console.error(`… and more: ${figure(counts.refused)} lines were refused`)
    for (const { message, count } of reader.warnings()) console.error(`${message} (${figure(count)} lines)`)
    console.log(
      `${process.stdout.isTTY ? '\n' : ''}${dry ? 'Nothing was kept. ' : ''}Done in ${decimal(seconds, 1, 1)} s, ${figure(Math.round(counts.lines / seconds))} respondents a second.`,
    )
    return counts.refused ? 2 : 0
  } finally {
    await database.close()
  }
}

await runCommand(HELP, OPTIONS, 1, async (values, positionals) => {
  process.exitCode = await run(readWanted(values, positionals))
})
