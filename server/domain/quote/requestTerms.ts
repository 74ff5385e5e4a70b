import { shortLabelOf } from '../../../contract/fieldKinds.ts'
import { count, percent } from '../../../contract/format.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { type Demographic, demographicFields } from '../../../contract/targetFields.ts'
import { agesOf, labelOf, type Term } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { marketAreas } from '../../db/markets.ts'
import type { TargetTable } from '../../db/schema.ts'
import { marketReader } from '../project/projectMarkets.ts'
import type { ProjectRecord } from '../project/storedProject.ts'

/** The terms of a request as text; audience lines without a limit say "Any". */
export interface RequestTerms {
  completes: number
  campaign_type: string
  audience: { label: string; value: string }[]
  markets: string
  start: string | null
  end: string | null
  loi_minutes: number | null
  incidence: number | null
}

const PRESETS = [10, 25, 50] as const

const words = (terms: readonly Term[], list: string): string => {
  const values = list.split(',').filter(Boolean)
  return values.length ? values.map((value) => labelOf(terms, value, value)).join(', ') : 'Any'
}

/** The preset for these markets ("Top 25", "All DMAs"), or their names. */
function marketWords(list: string): string {
  const { markets, names } = marketReader()(list)
  if (!markets.length) return 'All DMAs'
  const chosen = new Set(markets.map(({ id }) => id))
  const areas = marketAreas()
  const isSet = (codes: readonly number[]) => codes.length === chosen.size && codes.every((code) => chosen.has(code))
  if (isSet(areas.map(({ code }) => code))) return 'All DMAs'
  const preset = PRESETS.find((size) => isSet(areas.filter(({ rank }) => rank !== null && rank <= size).map(({ code }) => code)))
  return preset ? `Top ${preset}` : names.join('; ')
}

type Order = Pick<
  ProjectRecord,
  'generation' | 'ordered' | 'campaign_type' | 'start_dt' | 'end_dt' | 'expected_loi_minutes' | 'expected_incidence'
>
type Target = Pick<TargetTable, 'age' | 'gender' | 'hhi' | 'ethnicity' | 'marital_status' | 'children' | 'targeted_locations'>

/** The current terms: the order, the dates, and the audience of the first activity with a target. */
export async function currentTerms(ctx: Pick<Ctx, 'db'>, record: ProjectRecord): Promise<RequestTerms> {
  const target = await ctx.db
    .selectFrom('targets')
    .innerJoin('activities', 'activities.id', 'activity_id')
    .selectAll('targets')
    .where('project_id', '=', record.id)
    .where('activities.deleted_at', 'is', null)
    .orderBy('activities.id')
    .limit(1)
    .executeTakeFirst()
  return termsInWords(record, target)
}

/** The same, from a project and its target. */
export function termsInWords(record: Order, target: Target | undefined): RequestTerms {
  return {
    completes: record.ordered,
    campaign_type: record.campaign_type,
    audience: (Object.keys(demographicFields) as Demographic[]).map((name) => {
      const terms = name === 'age' ? agesOf(record.generation) : demographicFields[name].options
      return { label: shortLabelOf(demographicFields[name]), value: words(terms, target?.[name] ?? '') }
    }),
    markets: marketWords(target?.targeted_locations ?? ''),
    start: record.start_dt,
    end: record.end_dt,
    loi_minutes: record.expected_loi_minutes,
    incidence: record.expected_incidence,
  }
}

/** A line of "What changed": the field's label, and its value before and now. */
export interface TermsChange {
  field: string
  was: string
  is: string
}

const linesOf = (request: Partial<RequestTerms>): Map<string, string> =>
  new Map([
    ['Completes', count(request.completes ?? 0)],
    ['Type', request.campaign_type ?? ''],
    ['Start', request.start ?? '–'],
    ['End', request.end ?? '–'],
    ...(request.audience ?? []).map(({ label, value }) => [label, value] as const),
    ['Markets', request.markets ?? ''],
    [projectFields.loi_minutes.label, request.loi_minutes == null ? 'not known yet' : `${request.loi_minutes} min`],
    [projectFields.incidence.label, request.incidence == null ? 'not known yet' : percent(request.incidence)],
  ])

/** What has changed since the earlier request; empty if its terms are unknown. */
export function changesOf(before: Partial<RequestTerms>, now: RequestTerms): TermsChange[] {
  if (before.completes === undefined) return []
  const was = linesOf(before)
  return [...linesOf(now)].flatMap(([field, is]) => (was.get(field) === is ? [] : [{ field, was: was.get(field) ?? '–', is }]))
}
