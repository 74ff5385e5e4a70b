import { demographicFields } from '../../../contract/targetFields.ts'
import {
  AGES,
  CHILDREN,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  labelOf,
  MARITAL,
  OLDER_AGES,
  type Term,
} from '../../../contract/vocabulary.ts'
import { useCall } from '../../data/useCall.ts'
import { labelOfSet } from '../shared/dma.ts'
import { Counted, words } from './comparedFacts.tsx'
import { Disclosure, Facts } from './Disclosure.tsx'
import type { Project } from './ProjectHead.tsx'

const named = (terms: readonly Term[], list: string): string =>
  list
    ? list
        .split(',')
        .map((value) => labelOf(terms, value))
        .join(', ')
    : 'Any'

/** The audience of each activity (projects-area 2). */
export function Audience({ project }: { project: Project }) {
  return project.activities.map((activity, at) => (
    <Disclosure
      key={activity.id}
      anchor={`audience ${at}`}
      title={project.activities.length > 1 ? `Audience · ${activity.name}` : 'Audience'}
      aside={activity.activity_type}
    >
      {activity.target ? (
        <Facts
          rows={[
            words(
              `age ${at}`,
              demographicFields.age.label,
              named(project.generation === 'campaign' ? OLDER_AGES : AGES, activity.target.age),
            ),
            words(`gender ${at}`, demographicFields.gender.label, named(GENDERS, activity.target.gender)),
            words(`hhi ${at}`, demographicFields.hhi.label, named(INCOMES, activity.target.hhi)),
            words(`ethnicity ${at}`, demographicFields.ethnicity.label, named(ETHNICITIES, activity.target.ethnicity)),
            words(`marital ${at}`, demographicFields.marital_status.label, named(MARITAL, activity.target.marital_status)),
            words(`children ${at}`, demographicFields.children.label, named(CHILDREN, activity.target.children)),
          ]}
        />
      ) : (
        <p className="text-muted">No audience set: anyone can take part.</p>
      )}
    </Disclosure>
  ))
}

/** Markets by activity: a preset by its name, other selections by their markets (projects-area 4). */
export function Market({ project }: { project: Project }) {
  const dmas = useCall('dma.list', project.activities.some((activity) => activity.target?.target_markets.length) ? {} : null)
  const activities = project.activities.length ? project.activities : [null]
  return activities.map((activity, at) => (
    <Disclosure
      key={activity?.id ?? 'none'}
      title={activity && activities.length > 1 ? `Market · ${activity.name}` : 'Market'}
      anchor={at ? `market ${at}` : 'market'}
      aside={<MarketCount target={activity?.target ?? null} topic={at ? `markets ${at}` : 'markets'} />}
    >
      <Markets target={activity?.target ?? null} dmas={dmas.data?.dmas ?? []} />
    </Disclosure>
  ))
}

type Target = Project['activities'][number]['target']

function MarketCount({ target, topic }: { target: Target; topic: string }) {
  const markets = target?.target_markets.length ?? 0
  if (markets) return <Counted topic={topic} value={markets} noun="market" />
  return target?.location_based === 'yes' ? <>location based</> : null
}

function Markets({ target, dmas }: { target: Target; dmas: Parameters<typeof labelOfSet>[0] }) {
  const markets = target?.target_markets ?? []
  if (!markets.length)
    return <p className="text-muted">{target?.location_based === 'yes' ? 'At the linked locations.' : 'No market selected.'}</p>
  const preset = labelOfSet(
    dmas,
    markets.map((market) => String(market.id)),
  )
  if (preset) return <p>{preset}</p>
  return (
    <p className="[column-width:260px] columns-auto text-balance">
      {markets.map((market) => (
        <span key={market.id} className="block truncate" title={market.name}>
          {market.name}
        </span>
      ))}
    </p>
  )
}
