import { sql } from 'kysely'
import type { DeskRuleId } from '../../../contract/deskRules.ts'
import { count, counted, percent, shortDate } from '../../../contract/format.ts'
import { daysBetween } from '../../../contract/pacing.ts'
import type { Ctx } from '../../core/context.ts'

/** What a line's words are made of. */
export interface LineFacts {
  rule: DeskRuleId
  project_id: number | null
  figure: number | null
  day: string | null
}
interface ProjectFacts {
  id: number
  ordered: number
  delivered: number
  start_dt: string | null
  end_dt: string | null
  cost_cents: number | null
  campaign_type: string
  survey_url: string
  links: number
  documents: number
  questions: number
  audiences: number
  markets: number
  rewards: number
  partners: number
}

/** Rules whose words or readiness need more of the project than the line has. */
const NEED_PROJECT: readonly DeskRuleId[] = ['launch', 'lateStart', 'behindRed', 'behindOrange']

/** Reads that of the projects of a page's lines, in one statement. */
export async function projectsBehind(ctx: Ctx, lines: readonly LineFacts[]): Promise<ReadonlyMap<number, ProjectFacts>> {
  const ids = [...new Set(lines.flatMap(({ rule, project_id }) => (NEED_PROJECT.includes(rule) ? (project_id ?? []) : [])))]
  if (!ids.length) return new Map()
  const { rows } = await sql<ProjectFacts>`select id, ordered, delivered, start_dt, end_dt, cost_cents, campaign_type, survey_url,
    (select count(*) from surveys where surveys.project_id = projects.id and surveys.deleted_at is null and surveys.survey_link <> '') as links,
    (select count(*) from files where files.project_id = projects.id and files.asset_type = 'Survey Document') as documents,
    (select count(*) from surveys where surveys.project_id = projects.id and surveys.deleted_at is null
      and exists (select 1 from questions where questions.survey_id = surveys.id and questions.retired_at is null)) as questions,
    (select count(*) from activities join targets on targets.activity_id = activities.id
      where activities.project_id = projects.id and activities.deleted_at is null) as audiences,
    (select count(*) from activities join targets on targets.activity_id = activities.id
      where activities.project_id = projects.id and activities.deleted_at is null
      and (targets.targeted_locations <> '' or exists (select 1 from activity_location_groups linked where linked.activity_id = activities.id))) as markets,
    (select count(*) from rewards where rewards.project_id = projects.id and rewards.deleted_at is null) as rewards,
    (select count(*) from project_partners asked where asked.project_id = projects.id and asked.round = projects.quote_round
      and asked.revoked_at is null) as partners
    from projects where id in (${sql.join(ids)})`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** What a project has for going live, and what it lacks. */
export function readinessOf(project: ProjectFacts, today: string): { ready: string[]; missing: string[] } {
  const isSurvey = project.campaign_type === 'Survey'
  const checks: readonly (readonly [string, boolean])[] = [
    ['dates', project.start_dt !== null && project.end_dt !== null && project.end_dt >= today],
    ['order', project.ordered > 0],
    ['cost', (project.cost_cents ?? 0) > 0],
    ...(isSurvey
      ? ([
          ['survey', project.survey_url !== '' || Number(project.links) > 0 || Number(project.documents) > 0],
          ['questions', Number(project.questions) > 0],
        ] as const)
      : []),
    ['audience', Number(project.audiences) > 0],
    ['markets', Number(project.markets) > 0],
    ['rewards', Number(project.rewards) > 0],
    ['partners', Number(project.partners) > 0],
  ]
  return {
    ready: checks.filter(([, has]) => has).map(([what]) => what),
    missing: checks.filter(([, has]) => !has).map(([what]) => what),
  }
}

/** Completes a day, with one decimal below ten. */
const rate = (perDay: number): string => (perDay < 10 ? String(Math.round(perDay * 10) / 10) : count(Math.round(perDay)))

function paceWords(share: number, { ordered, delivered, start_dt, end_dt }: ProjectFacts, today: string): string {
  const needed = Math.max(0, ordered - delivered) / (daysBetween(today, end_dt!) + 1)
  const now = delivered / (daysBetween(start_dt!, today) + 1)
  return `${percent(share)} of plan: needs ${rate(needed)} a day, gets ${rate(now)}, ends ${shortDate(end_dt!)}`
}

/** The words beside a line: how many, until when, or what is missing. */
export function detailOf(
  { rule, figure, day }: LineFacts,
  project: ProjectFacts | undefined,
  missing: readonly string[],
  today: string,
): string {
  const number = figure ?? 0
  const lacks = missing.length ? `Missing: ${missing.join(', ')}` : 'Everything is ready'
  switch (rule) {
    case 'invite':
      return number ? `${counted(number, 'complete')} ordered` : 'Nothing ordered yet'
    case 'silent':
      return day ? `Answer due ${shortDate(day)}` : ''
    case 'answers':
      return counted(number, 'answer')
    case 'declined':
      return `${counted(number, 'answer')}, no offer`
    case 'unsent':
    case 'lapsing':
    case 'decide':
      return day ? `Valid until ${shortDate(day)}` : 'Valid without an end'
    case 'lapsed':
    case 'renew':
      return day ? `Expired ${shortDate(day)}` : ''
    case 'launch':
      return day ? `Starts ${shortDate(day)}. ${lacks}` : lacks
    case 'lateStart':
      return `Start was ${shortDate(day!)}. ${lacks}`
    case 'missed':
    case 'ended':
      return `Ended ${shortDate(day!)}`
    case 'behindRed':
    case 'behindOrange':
      return project ? paceWords(number, project, today) : ''
    case 'partnerAsks':
      return counted(number, 'partner')
    case 'rewards':
    case 'flagged':
      return counted(number, 'reward')
    case 'importLines':
      return counted(number, 'line')
    case 'webhook':
      return counted(number, 'message')
    case 'results':
      return counted(number, 'complete')
    case 'incomplete':
      return 'No survey address, link or file yet'
    default:
      return ''
  }
}
