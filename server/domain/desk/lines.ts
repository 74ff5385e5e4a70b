import { type RawBuilder, sql } from 'kysely'
import { type Actor, isAdmin, seesAll } from '../../../contract/actor.ts'
import { DESK_RULE_IDS, DESK_RULES, type DeskRuleId, readDeskId } from '../../../contract/deskRules.ts'
import { addDays } from '../../../contract/pacing.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'
import type { Engine } from '../../db/connect.ts'
import { LAST_MESSAGES } from '../message/conversations.ts'
import { HAS_NO_OWNER } from '../project/projectOwner.ts'
import { ANSWERED, answerBy, channelStep, clientStep, INVITED, ofCurrent, REMINDER_DAYS } from '../quote/requestSteps.ts'

/** How long results stay on the desk of a client who doesn't acknowledge them. */
const RESULTS_DAYS = 30
const DAY_MS = 86_400_000

type Sql = RawBuilder<unknown>

/** A rule's lines as SQL; what is missing is null. */
interface LineSql {
  from: Sql
  where: Sql
  subject: Sql
  kind: Sql
  name: Sql
  project?: Sql
  client?: Sql
  /** The day since which it needs somebody. */
  since: Sql
  owner?: Sql
  /** What waiting costs, in cents. */
  cost?: Sql
  /** A number and a day that its words name (deskWords.ts). */
  figure?: Sql
  day?: Sql
  /** Changes when the line says something else, which ends what was acknowledged or snoozed. */
  cause: Sql
}

const NONE = sql`null`

/** What a complete costs on average, for orders without a price. */
const USUAL = sql`select coalesce(sum(priced.cost_cents) * 1.0 / nullif(sum(priced.ordered), 0), 0) as cents from projects priced
  where priced.cost_cents > 0 and priced.ordered > 0 and priced.deleted_at is null`
const PRICE = sql`coalesce(projects.cost_cents, floor(projects.ordered * usual.cents + 0.5))`

/** Whole days from one date to another. */
const daysBetween = (engine: Engine, from: Sql, to: Sql): Sql =>
  engine === 'postgres'
    ? sql`(cast(${to} as date) - cast(${from} as date))`
    : sql`cast(julianday(${to}) - julianday(${from}) as integer)`

/** Builds a project's line; commands of survey projects act on campaigns. */
const onProject = (
  where: Sql,
  more: Omit<LineSql, 'from' | 'where' | 'subject' | 'kind' | 'name' | 'project'>,
  from = sql``,
) => ({
  from: sql`projects join clients on clients.id = projects.client_id cross join usual ${from}`,
  where,
  subject: sql`projects.id`,
  kind: sql`projects.generation`,
  name: sql`projects.name`,
  project: sql`projects.id`,
  client: sql`clients.name`,
  owner: sql`projects.owner_id`,
  ...more,
})

/** Projects that aren't over, in the words of their index (0120-desk.ts). */
const OPEN = sql.raw("projects.status not in ('completed', 'reporting', 'rejected')")
const statusIs = (...statuses: readonly string[]) => sql`projects.status in (${sql.join(statuses)}) and ${OPEN}`
const dayOf = (moment: Sql) => sql`substr(${moment}, 1, 10)`
const asCause = (...parts: readonly Sql[]) =>
  sql.join(
    parts.map((part) => sql`coalesce(cast(${part} as text), '')`),
    sql` || ' ' || `,
  )
const QUOTE_CAUSE = asCause(sql`projects.quote_round`, sql`projects.cost_cents`, sql`projects.quote_valid_until`)

/** A project behind pace by its own order and dates: its completes are `least` to `most` % of those expected. */
function behind(ctx: Ctx, least: number, most: number): LineSql {
  const { engine } = ctx.services.database
  const today = sql`${ctx.today}`
  const days = sql`(${daysBetween(engine, sql`projects.start_dt`, sql`projects.end_dt`)} + 1)`
  const elapsed = sql`(${daysBetween(engine, sql`projects.start_dt`, today)} + 1)`
  // Whole numbers compare as pacingOf() rounds: half up.
  const twice = sql`cast(projects.delivered as bigint) * 200 * ${days}`
  const order = sql`cast(projects.ordered as bigint) * ${elapsed}`
  const short = sql`(projects.ordered * 1.0 * ${elapsed} / ${days} - projects.delivered)`
  const each = sql`coalesce(projects.cost_cents * 1.0 / nullif(projects.ordered, 0), usual.cents)`
  return onProject(
    sql`${statusIs('active')} and projects.ordered > 0 and projects.start_dt <= ${today} and projects.end_dt >= ${today}
      and ${twice} < ${order} * ${sql.lit(2 * most - 1)}${least ? sql` and ${twice} >= ${order} * ${sql.lit(2 * least - 1)}` : sql``}`,
    {
      since: sql`projects.start_dt`,
      cost: sql`floor(${short} * ${each} + 0.5)`,
      figure: sql`floor(${twice} / 2.0 / (${order}) + 0.5)`,
      day: sql`projects.end_dt`,
      cause: asCause(sql`projects.start_dt`, sql`projects.end_dt`, sql`projects.ordered`),
    },
  )
}

/** Pending rewards of a project, flagged or not. */
const pending = (flagged: 0 | 1): LineSql =>
  onProject(
    sql`1 = 1`,
    {
      since: dayOf(
        sql`(select entries.created_at from entries where entries.project_id = projects.id and entries.status = 'pending' order by entries.id limit 1)`,
      ),
      cost: sql`pending.cents`,
      figure: sql`pending.number`,
      cause: asCause(sql`pending.number`, sql`pending.cents`),
    },
    sql`join (select project_id, sum(count) as number, sum(amount_cents) as cents from entry_totals
      where status = 'pending' and flagged = ${sql.lit(flagged)} group by project_id having sum(count) > 0) pending on pending.project_id = projects.id`,
  )

const failedMessages = sql`(select count(*) from webhook_deliveries failed where failed.webhook_id = webhooks.id and failed.status = 'failed')`
const webhookLine = (where: Sql, figure: Sql, since: Sql): LineSql => ({
  from: sql`webhooks`,
  where: sql`webhooks.deleted_at is null and ${where}`,
  subject: sql`webhooks.id`,
  kind: sql`'webhook'`,
  name: sql`webhooks.name`,
  since: dayOf(since),
  owner: sql`webhooks.owner_id`,
  figure,
  cause: asCause(sql`webhooks.status`, figure, since),
})

const failedJob = (where: Sql): LineSql => ({
  from: sql`jobs left join projects on projects.id = jobs.project_id`,
  where: sql`jobs.status = 'failed' and ${where}`,
  subject: sql`jobs.id`,
  kind: sql`'job'`,
  name: sql`jobs.title`,
  project: sql`jobs.project_id`,
  since: dayOf(sql`coalesce(jobs.ended_at, jobs.created_at)`),
  owner: sql`jobs.created_by`,
  cause: asCause(sql`jobs.attempts`, sql`jobs.ended_at`),
})

/** TABLE  the SQL of each rule (contract/deskRules.ts). */
const LINES: Readonly<Record<DeskRuleId, (ctx: Ctx) => LineSql>> = {
  invite: ({ today }) =>
    onProject(sql`${statusIs('requirements', 'pricing')} and ${channelStep(today)} = 'invite'`, {
      since: dayOf(sql`projects.created_at`),
      cost: PRICE,
      figure: sql`projects.ordered`,
      cause: asCause(sql`projects.quote_round`),
    }),
  silent: ({ today, now }) =>
    // A partner can be reminded once a day.
    onProject(
      sql`${statusIs('pricing')} and exists (select 1 ${sql.raw(INVITED)} and asked.answer_by <= ${addDays(today, 1)}
        and (asked.reminded_at is null or asked.reminded_at <= ${new Date(Date.parse(now) - DAY_MS).toISOString()})
        and not exists (select 1 from proffers given where given.project_id = asked.project_id and given.partner_id = asked.partner_id
          and given.round = asked.round and given.state = 'sent'))`,
      {
        since: dayOf(sql`(select min(asked.assigned_at) ${sql.raw(INVITED)})`),
        cost: PRICE,
        day: answerBy,
        cause: asCause(sql`projects.quote_round`, answerBy),
      },
    ),
  answers: ({ today }) => answered(today, true),
  declined: ({ today }) => answered(today, false),
  unsent: () =>
    onProject(sql`${statusIs('submit_approval')} and ${ofCurrent('state')} = 'prepared'`, {
      since: dayOf(sql`coalesce(${ofCurrent('created_at')}, projects.updated_at)`),
      cost: sql`projects.cost_cents`,
      day: sql`projects.quote_valid_until`,
      cause: QUOTE_CAUSE,
    }),
  lapsing: ({ today }) =>
    onProject(
      sql`${statusIs('submit_approval')} and projects.quote_valid_until >= ${today}
        and projects.quote_valid_until <= ${addDays(today, REMINDER_DAYS)} and coalesce(${ofCurrent('state')}, '') <> 'prepared'`,
      {
        since: dayOf(sql`coalesce(${ofCurrent('sent_at')}, projects.updated_at)`),
        cost: sql`projects.cost_cents`,
        day: sql`projects.quote_valid_until`,
        cause: QUOTE_CAUSE,
      },
    ),
  lapsed: ({ today }) =>
    onProject(
      sql`${statusIs('submit_approval')} and projects.quote_valid_until < ${today} and coalesce(${ofCurrent('state')}, '') <> 'prepared'`,
      {
        since: sql`projects.quote_valid_until`,
        cost: sql`projects.cost_cents`,
        day: sql`projects.quote_valid_until`,
        cause: QUOTE_CAUSE,
      },
    ),
  launch: ({ today }) =>
    onProject(
      sql`${statusIs('approved')} and (projects.start_dt is null or projects.start_dt > ${today})
        and (projects.end_dt is null or projects.end_dt >= ${today})`,
      waitingForLaunch(sql`coalesce(${ofCurrent('decided_at')}, projects.updated_at)`),
    ),
  lateStart: ({ today }) =>
    onProject(
      sql`${statusIs('approved')} and projects.start_dt <= ${today} and (projects.end_dt is null or projects.end_dt >= ${today})`,
      waitingForLaunch(sql`projects.start_dt`),
    ),
  missed: ({ today }) =>
    onProject(sql`${statusIs('approved')} and projects.end_dt < ${today}`, {
      since: sql`projects.end_dt`,
      cost: sql`projects.cost_cents`,
      day: sql`projects.end_dt`,
      cause: asCause(sql`projects.end_dt`),
    }),
  behindRed: (ctx) => behind(ctx, 0, 30),
  behindOrange: (ctx) => behind(ctx, 30, 70),
  ended: ({ today }) =>
    onProject(sql`${statusIs('active', 'paused')} and projects.end_dt < ${today}`, {
      since: sql`projects.end_dt`,
      cost: sql`projects.cost_cents`,
      day: sql`projects.end_dt`,
      cause: asCause(sql`projects.end_dt`),
    }),
  rewards: () => pending(0),
  flagged: () => pending(1),
  importLines: () => ({
    from: sql`imports join files on files.id = imports.file_id left join projects on projects.id = imports.project_id
      left join clients on clients.id = imports.client_id`,
    where: sql`imports.failed > 0 and imports.status in ('done', 'failed')`,
    subject: sql`imports.id`,
    kind: sql`'import'`,
    name: sql`case when imports.name = '' then files.original_name else imports.name end`,
    project: sql`imports.project_id`,
    client: sql`clients.name`,
    since: dayOf(sql`coalesce(imports.ended_at, imports.created_at)`),
    owner: sql`imports.created_by`,
    figure: sql`imports.failed`,
    cause: asCause(sql`imports.failed`, sql`imports.ended_at`),
  }),
  job: () => failedJob(sql`1 = 1`),
  mail: () => ({
    from: sql`mails`,
    where: sql`mails.status = 'failed'`,
    subject: sql`mails.id`,
    kind: sql`'mail'`,
    name: sql`mails.subject`,
    since: dayOf(sql`mails.created_at`),
    cause: asCause(sql`mails.attempts`, sql`mails.error`),
  }),
  webhook: () =>
    webhookLine(
      sql`webhooks.status = 'active' and ${failedMessages} > 0`,
      failedMessages,
      sql`coalesce(webhooks.failing_since, webhooks.updated_at)`,
    ),
  webhookOff: () => webhookLine(sql`webhooks.status = 'disabled'`, NONE, sql`webhooks.updated_at`),
  unowned: () =>
    onProject(sql`${OPEN} and ${HAS_NO_OWNER}`, {
      since: dayOf(sql`projects.created_at`),
      owner: NONE,
      cause: asCause(sql`projects.status`),
    }),
  clientAsks: () => waitsForAnswer('client'),
  partnerAsks: () =>
    onProject(
      sql`1 = 1`,
      {
        since: dayOf(sql`waiting.since`),
        cost: PRICE,
        figure: sql`waiting.number`,
        cause: asCause(sql`waiting.last`),
      },
      sql`join (select last_messages.project_id, count(*) as number, min(last_messages.created_at) as since, max(last_messages.id) as last
        from ${LAST_MESSAGES} join partners on partners.id = last_messages.partner_id and partners.deleted_at is null
        where last_messages.side = 'partner' group by last_messages.project_id) waiting on waiting.project_id = projects.id`,
    ),
  decide: ({ today }) =>
    onProject(sql`${statusIs('submit_approval')} and ${clientStep(today)} = 'approval'`, {
      since: dayOf(sql`coalesce(${ofCurrent('sent_at')}, projects.updated_at)`),
      owner: NONE,
      cost: sql`projects.cost_cents`,
      day: sql`projects.quote_valid_until`,
      cause: QUOTE_CAUSE,
    }),
  renew: ({ today }) =>
    onProject(
      sql`${statusIs('submit_approval')} and ${clientStep(today)} = 'expired' and not ${hasAsked('project.askQuote', sql`projects.quote_valid_until`)}`,
      {
        since: sql`projects.quote_valid_until`,
        owner: NONE,
        cost: sql`projects.cost_cents`,
        day: sql`projects.quote_valid_until`,
        cause: QUOTE_CAUSE,
      },
    ),
  incomplete: () =>
    onProject(
      sql`${statusIs('requirements', 'pricing')} and projects.campaign_type = 'Survey' and ${NO_SURVEY}
      and not ${hasAsked('message.send', sql`projects.created_at`)}`,
      {
        since: dayOf(sql`projects.created_at`),
        owner: NONE,
        cause: asCause(sql`projects.quote_round`),
      },
    ),
  results: ({ now }) =>
    onProject(
      sql`projects.status = 'reporting' and projects.updated_at >= ${new Date(Date.parse(now) - RESULTS_DAYS * DAY_MS).toISOString()}`,
      {
        since: dayOf(sql`projects.updated_at`),
        owner: NONE,
        figure: sql`projects.delivered`,
        cause: asCause(sql`projects.status`, sql`projects.end_dt`),
      },
    ),
  agencyWrote: () => ({ ...waitsForAnswer('agency'), owner: NONE, cost: NONE }),
  ownJob: ({ actor }) =>
    failedJob(sql`jobs.created_by = ${actor.id} and jobs.made_as = 'client' and jobs.service_id is null
      and (jobs.project_id is null or projects.id is not null)`),
}

/** The client has written to the agency since a moment, which then has to act. */
const hasAsked = (call: 'message.send' | 'project.askQuote', since: Sql) =>
  sql`exists (select 1 from history where history.project_id = projects.id and history.origin = 'client'
    and history.action in (${call === 'message.send' ? sql`'message.send', 'project.ask'` : call}) and history.at >= ${since})`

/** The conversation with the project's client, whose last message was written by the other side. */
const waitsForAnswer = (side: 'agency' | 'client') =>
  onProject(
    sql`last_messages.side = ${side} and last_messages.client_id = projects.client_id`,
    { since: dayOf(sql`last_messages.created_at`), cost: PRICE, cause: asCause(sql`last_messages.id`) },
    sql`join ${LAST_MESSAGES} on last_messages.project_id = projects.id and last_messages.partner_id = 0`,
  )

/** No address, link or document of a survey, as going live requires one. */
const NO_SURVEY = sql`projects.survey_url = ''
  and not exists (select 1 from surveys linked where linked.project_id = projects.id and linked.deleted_at is null and linked.survey_link <> '')
  and not exists (select 1 from files document where document.project_id = projects.id and document.asset_type = 'Survey Document')`

const waitingForLaunch = (since: Sql) => ({
  since: dayOf(since),
  cost: sql`projects.cost_cents`,
  day: sql`projects.start_dt`,
  cause: asCause(sql`projects.start_dt`, sql`projects.end_dt`, sql`projects.cost_cents`),
})

/** A project whose partners have answered: with an offer that can be taken, or else all of them with none. */
function answered(today: string, offers: boolean): LineSql {
  const offer = sql`exists (select 1 ${sql.raw(ANSWERED)} and answer.fill_requirements = 'Yes' and answer.feasible_completes is not null
    and answer.cpi_cents is not null and (answer.valid_until is null or answer.valid_until >= ${today}))`
  const number = sql`(select count(*) ${sql.raw(ANSWERED)})`
  const everybody = sql`not exists (select 1 ${sql.raw(INVITED)} and not exists (select 1 from proffers given
    where given.project_id = asked.project_id and given.partner_id = asked.partner_id and given.round = asked.round and given.state = 'sent'))`
  return onProject(
    sql`${statusIs('pricing')} and ${channelStep(today)} = 'answers' and ${offers ? offer : sql`not ${offer} and ${everybody}`}`,
    {
      since: dayOf(sql`(select max(answer.sent_at) ${sql.raw(ANSWERED)})`),
      cost: PRICE,
      figure: number,
      cause: asCause(sql`projects.quote_round`, number),
    },
  )
}

/** The rules of a caller's role; those of records without a project only for who sees every record. */
export const rulesOf = (actor: Actor): readonly DeskRuleId[] =>
  DESK_RULE_IDS.filter((id) => {
    const { who, subject } = DESK_RULES[id]
    return (who === 'admin') === isAdmin(actor) && (!isAdmin(actor) || subject === 'project' || seesAll(actor))
  })

function lineOf(ctx: Ctx, id: DeskRuleId, subjects?: readonly number[]): Sql {
  const { from, where, subject, kind, name, since, cause, ...more } = LINES[id](ctx)
  const { project = NONE, client = NONE, owner = NONE, cost = NONE, figure = NONE, day = NONE } = more
  const whole = (part: Sql) => sql`cast(${part} as bigint)`
  const text = (part: Sql) => sql`cast(${part} as text)`
  const { number, subject: noun } = DESK_RULES[id]
  // A line of another record is seen with its project.
  const seen = noun === 'project' ? projectScope(ctx.actor) : sql`(${project} is null or ${projectScope(ctx.actor)})`
  const scoped = noun === 'mail' || noun === 'webhook' ? sql`1 = 1` : seen
  return sql`select ${whole(sql`${subject} * 100 + ${sql.lit(number)}`)} as id, ${text(sql.lit(id))} as rule, ${whole(subject)} as subject_id,
    ${text(kind)} as kind, ${whole(project)} as project_id, ${text(name)} as name, ${text(sql`coalesce(${client}, '')`)} as client,
    ${text(since)} as since, ${whole(owner)} as owner_id, ${whole(cost)} as cost_cents, ${whole(figure)} as figure, ${text(day)} as day,
    ${text(cause)} as cause
    from ${from} where ${subjects ? sql`${subject} in (${sql.join(subjects)}) and ` : sql``}${scoped} and ${where}`
}

/** The lines that the caller has, whatever anybody decided about them: all, or those of these ids. */
export function deskLines(ctx: Ctx, ids?: readonly number[]): Sql {
  const lineIds = ids?.flatMap((id) => readDeskId(id) ?? [])
  const lines = rulesOf(ctx.actor).flatMap((rule) => {
    if (!lineIds) return lineOf(ctx, rule)
    const subjects = lineIds.flatMap((one) => (one.rule === rule ? one.subject : []))
    return subjects.length ? lineOf(ctx, rule, subjects) : []
  })
  // No id is one of a rule of theirs.
  if (!lines.length) lines.push(sql`select * from (${lineOf(ctx, rulesOf(ctx.actor)[0]!)}) none where 1 = 0`)
  return sql`with usual as (${USUAL}) ${sql.join(lines, sql` union all `)}`
}
