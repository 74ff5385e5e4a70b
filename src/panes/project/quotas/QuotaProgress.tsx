import { count } from '../../../../contract/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { Disclosure } from '../Disclosure.tsx'

/** What a client sees of the quotas of their project: targets and completes. */
export function QuotaProgress({ id }: { id: number }) {
  const plan = useCall('quota.ofProject', { id }, { fresh: true }).data?.data
  if (!plan?.dimensions.length) return null
  return (
    <Disclosure title="Quotas" anchor="quotas" aside={plan.state === 'ended' ? 'Ended' : undefined}>
      <div className="grid gap-x-8 gap-y-3 @2xl:grid-cols-2">
        {plan.dimensions.map(({ id: dimension, name, cells }) => (
          <section key={dimension} aria-labelledby={`quota-${dimension}`}>
            <h3 id={`quota-${dimension}`} className="text-meta text-muted">
              <bdi>{name}</bdi>
            </h3>
            <ul>
              {cells.map((cell) => (
                <li key={cell.id} className="grid grid-cols-[minmax(0,1fr)_4rem_6rem] items-center gap-3 py-0.5">
                  <bdi className="truncate">{cell.name}</bdi>
                  <Progress value={cell.target ? cell.completes / cell.target : null} label={`${cell.name}, completes`} />
                  <span className="text-right text-muted tabular-nums">
                    {count(cell.completes)} of {count(cell.target)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Disclosure>
  )
}
