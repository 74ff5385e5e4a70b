// A client report of a million rows on SQLite and PostgreSQL if it starts:
// `node tests/bench/report.bench.ts [--rows 1000000] [--engine sqlite|postgres] [--size demo|mid|large]`.
// `--formats csv,csv,xlsx` writes these files one after another on one server, by default csv and xlsx.
// The real server writes 30 questions a row as CSV and XLSX in jobs, and the files are downloaded by their links.
// Prints rows a second, by the clock beside another caller and without, and by the server's processor time.
// "Other caller" is how long a list takes somebody else, before the job and meanwhile.
// With `--turns` it prints the processor time of the longest turn instead; watching turns costs a core.
// Memory is the server's above its idle state, cold and after 2,000 other requests (Linux only).
// Mapped pages of the database are excluded, because they are the kernel's cache and not the server's memory.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Database, transact } from '../../server/db/connect.ts'
import { makers } from '../support/makers.ts'
import { cpuOf } from './load.ts'
import { onBothEngines, quantile, type Served, type Size } from './served.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
    size: { type: 'string', default: 'demo' },
    turns: { type: 'boolean', default: false },
    formats: { type: 'string', default: 'csv,xlsx' },
  },
})
const ROWS = Number(values.rows)
const QUESTIONS = 30
const OPTIONS = ['Daily', 'A few times a week', 'Weekly', 'Monthly', 'Less often', 'Never']
const REQUESTS = 2000
const EXPORT = '/v3/portal/reports/export_client_reporting'

/** A project with a survey of 30 questions and its respondents; returns the project's id. */
async function make(database: Database): Promise<number> {
  const maker = makers({ database, settings: { timeZone: 'America/New_York' } })
  const client = await maker.client()
  const project = await maker.project({ client_id: client.id })
  const survey = await maker.survey({ project_id: project.id })
  const answers: Record<string, string> = {}
  for (let at = 0; at < QUESTIONS; at++) {
    const row = { survey_id: survey.id, name: `Question ${at + 1}`, position: at + 1, options: JSON.stringify(OPTIONS) }
    answers[(await maker.question(row)).id] = OPTIONS[at % OPTIONS.length]!
  }
  await transact(database, (tx) =>
    sql`insert into respondents (survey_id, respondent_id, project_id, outcome, at, cell, marital, children, answers)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(ROWS)})
      select ${sql.lit(survey.id)}, 'b' || (10000000 + i), ${sql.lit(project.id)}, 'completes', '2026-10-01T12:00:00.000Z', 0, 0, 0, ${sql.lit(JSON.stringify(answers))} from n`.execute(
      tx,
    ),
  )
  return project.id
}

/** The memory of a process in MB without mapped files. */
const memoryOf = (pid: number): number => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** A list read over and over by another caller until stopped; returns its times in ms. */
function otherCaller(get: Served['get']): { stop(): Promise<number[]> } {
  const times: number[] = []
  let going = true
  const work = (async () => {
    while (going) {
      times.push(await get('/v3/portal/projects/all?per_page=10'))
      await delay(20)
    }
    return times
  })()
  return {
    stop() {
      going = false
      return work
    },
  }
}

async function bench({ engine, get, json, post, url, pid, measures }: Served, project_id: number): Promise<void> {
  const lines: Record<string, unknown>[] = []
  const cold = memoryOf(pid)
  /** Has a report written; returns its download. */
  const report = async (format: string): Promise<Response> => {
    const asked = { project_id, format }
    const { report_download_link } = await post<{ report_download_link: string }>(EXPORT, asked)
    let file = await fetch(url + report_download_link)
    while (file.status === 202) {
      await file.text()
      await delay(100)
      file = await fetch(url + report_download_link)
    }
    if (file.status !== 200) throw new Error(`${report_download_link}: ${file.status} ${await file.text()}`)
    return file
  }
  for (let at = 0; at < REQUESTS; at++) await json('/v3/portal/projects?per_page=100')
  await delay(5000)
  for (const format of values.formats.split(',')) {
    const before = otherCaller(get)
    await delay(5000)
    const calm = await before.stop()
    const idle = memoryOf(pid)
    let peak = idle
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryOf(pid))
    }, 50)
    await measures(values.turns ? 'watch' : undefined)
    const began = performance.now()
    const used = cpuOf(pid)
    const other = otherCaller(get)
    const file = await report(format)
    const seconds = (performance.now() - began) / 1000
    const meanwhile = await other.stop()
    const processor = (cpuOf(pid) - used) / 1000
    const { longest, long, statements, commit } = await measures()
    const written = peak
    let [bytes, rows] = [0, -1]
    for await (const piece of file.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += piece.length
      if (format === 'csv') for (const byte of piece) if (byte === 10) rows++
    }
    clearInterval(watch)
    if (format === 'csv' && rows !== ROWS) throw new Error(`the file has ${rows} rows`)
    const aloneSince = performance.now()
    if (!values.turns) await (await report(format)).body?.cancel()
    const alone = (performance.now() - aloneSince) / 1000
    if (values.turns) {
      lines.push({ engine, format, 'longest turn (ms)': Math.round(longest * 10) / 10, 'turns above 25 ms': long, statements })
      continue
    }
    lines.push({
      engine,
      format,
      'rows a second': Math.round(ROWS / seconds),
      'without the other caller': Math.round(ROWS / alone),
      'rows a processor second, others included': Math.round(ROWS / processor),
      'other caller before, p50 / p95 (ms)': `${quantile(calm, 0.5)} / ${quantile(calm, 0.95)}`,
      meanwhile: `${quantile(meanwhile, 0.5)} / ${quantile(meanwhile, 0.95)}`,
      'longest commit, by the clock (ms)': Math.round(commit),
      'file (MB)': Math.round(bytes / 1e6),
      'written: MB over idle': Math.round(written - idle),
      'downloaded: MB over idle': Math.round(peak - idle),
      'MB over a fresh start': Math.round(peak - cold),
    })
  }
  console.table(lines)
}

await onBothEngines(make, bench, values.engine, values.size as Size)
