import { currentPartners } from '../../core/currentPartners.ts'
import { isLimited, type KeyScope } from '../../core/keyScope.ts'
import type { Db } from '../../db/connect.ts'

/** The partners that a sender may name. */
export interface SentPartners {
  /** By id, the partner that it stands for by now; null if that was deleted. */
  current: ReadonlyMap<number, number | null>
  /** What is wrong with another id. */
  wrong: string
}

/** The partners that a survey's sender may name; with a limited key, those of the survey's project and quotas. */
export async function sentPartners(
  db: Db,
  survey: { id: number; project_id: number },
  scope: KeyScope | null,
): Promise<SentPartners> {
  const current = await currentPartners(db)
  if (!scope || !isLimited(scope)) return { current, wrong: 'is not a partner' }
  const own = await ownPartners(db, survey)
  return {
    current: new Map([...current].filter(([, id]) => id !== null && own.has(id))),
    wrong: 'is not a partner of this survey’s project',
  }
}

/** The partners that a survey's project or the one above it has asked, and those that its quotas name. */
async function ownPartners(db: Db, survey: { id: number; project_id: number }): Promise<Set<number>> {
  const ofProject = await db
    .selectFrom('project_partners')
    .select('partner_id')
    .where((eb) =>
      eb.or([
        eb('project_id', '=', survey.project_id),
        eb('project_id', '=', eb.selectFrom('projects').select('parent_id').where('id', '=', survey.project_id)),
      ]),
    )
    .execute()
  const cells = await db
    .selectFrom('quota_cells')
    .innerJoin('quota_plans', 'quota_plans.id', 'quota_cells.plan_id')
    .select('conditions')
    .where('survey_id', '=', survey.id)
    .where('quota_plans.state', '<>', 'ended')
    .where('conditions', 'like', '%"partner"%')
    .execute()
  const named = cells.flatMap(({ conditions }) => (JSON.parse(conditions) as { partner?: number[] }).partner ?? [])
  return new Set([...ofProject.map(({ partner_id }) => partner_id), ...named])
}
