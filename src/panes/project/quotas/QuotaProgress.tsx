import { stripBidi } from '../../../../contract/bidi.ts'
import { count } from '../../../../contract/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { Disclosure } from '../Disclosure.tsx'

/** What a client sees of the quotas of their project: targets and completes, by survey. */
export function QuotaProgress({ id }: { id: number }) {
  const plans = useCall('quota.plans', { id }, { fresh: true }).data?.data ?? []
  // The newest come first; one that runs goes before those that ended.
  const shown = [...new Set(plans.map(({ survey_id }) => survey_id))].map((survey) => {
    const own = plans.filter(({ survey_id }) => survey_id === survey)
    return own.find(({ state }) => state === 'live') ?? own[0]!
  })
  return shown.map((plan) => <Plan key={plan.id} id={plan.id} survey={shown.length > 1 ? plan.survey_name : null} />)
}

function Plan({ id, survey }: { id: number; survey: string | null }) {
  const plan = useCall('quota.get', { id }, { fresh: true }).data?.data
  if (!plan?.dimensions.length) return null
  return (
    <Disclosure
      title={survey === null ? 'Quotas' : `Quotas of ${stripBidi(survey)}`}
      anchor={survey === null ? 'quotas' : `quotas-${plan.survey_id}`}
      aside={plan.state === 'ended' ? 'Ended' : undefined}
    >
      <div className="grid gap-x-8 gap-y-3 @2xl:grid-cols-2">
        {plan.dimensions.map(({ id: dimension, name, cells }) => (
          <div key={dimension}>
            <h3 className="text-meta text-muted">
              <bdi>{name}</bdi>
            </h3>
            <ul>
              {cells.map((cell) => (
                <li key={cell.id} className="grid grid-cols-[minmax(0,1fr)_4rem_6rem] items-center gap-3 py-0.5">
                  <bdi className="truncate" title={cell.name}>
                    {cell.name}
                  </bdi>
                  <Progress value={cell.target ? cell.completes / cell.target : null} label={`${cell.name}, completes`} />
                  <span className="text-right text-muted tabular-nums">
                    {count(cell.completes)} of {count(cell.target)}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Disclosure>
  )
}
