import { AGES, CHILDREN, ETHNICITIES, GENDERS, INCOMES, labelOf, MARITAL, type Term } from '../../../contract/vocabulary.ts'
import { Counted, words } from './compared.tsx'
import { Facts, Fold } from './Fold.tsx'
import type { Project } from './ProjectHead.tsx'

const named = (terms: readonly Term[], list: string): string =>
  list
    ? list
        .split(',')
        .map((value) => labelOf(terms, value))
        .join(', ')
    : 'Any'

/** Who is asked, by activity (projects-area 2). */
export function Audience({ project }: { project: Project }) {
  return project.activities.map((activity, at) => (
    <Fold
      key={activity.id}
      anchor={`audience ${at}`}
      title={project.activities.length > 1 ? `Audience · ${activity.name}` : 'Audience'}
      aside={activity.activity_type}
    >
      {activity.target ? (
        <Facts
          rows={[
            words(`age ${at}`, 'Age', named(AGES, activity.target.age)),
            words(`gender ${at}`, 'Gender', named(GENDERS, activity.target.gender)),
            words(`hhi ${at}`, 'Household income', named(INCOMES, activity.target.hhi)),
            words(`ethnicity ${at}`, 'Ethnicity', named(ETHNICITIES, activity.target.ethnicity)),
            words(`marital ${at}`, 'Marital status', named(MARITAL, activity.target.marital_status)),
            words(`children ${at}`, 'Children', named(CHILDREN, activity.target.children)),
          ]}
        />
      ) : (
        <p className="text-muted">No audience is set: anybody can take part.</p>
      )}
    </Fold>
  ))
}

/** Where they are asked. */
export function Market({ project }: { project: Project }) {
  return (
    <Fold
      title="Market"
      anchor="market"
      aside={
        marketsOf(project).length ? (
          <Counted topic="markets" value={marketsOf(project).length} noun="market" />
        ) : project.activities[0]?.target?.location_based === 'yes' ? (
          'location based'
        ) : (
          ''
        )
      }
    >
      <Markets project={project} />
    </Fold>
  )
}

const targetOf = (project: Project) => project.activities.find((activity) => activity.target)?.target
const marketsOf = (project: Project) => targetOf(project)?.target_markets ?? []

function Markets({ project }: { project: Project }) {
  const target = targetOf(project)
  const markets = marketsOf(project)
  if (!markets.length)
    return (
      <p className="text-muted">
        {target?.location_based === 'yes' ? 'Wherever the linked locations are.' : 'No market is chosen.'}
      </p>
    )
  return (
    <p className="[column-width:220px] columns-auto text-balance">
      {markets.map((market) => (
        <span key={market.id} className="block truncate" title={market.name}>
          {market.name}
        </span>
      ))}
    </p>
  )
}
