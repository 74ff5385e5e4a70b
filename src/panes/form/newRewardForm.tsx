import { useMemo } from 'react'
import { textsOf } from '../../../contract/fieldKinds.ts'
import { dollars } from '../../../contract/format.ts'
import { rewardFields } from '../../../contract/rewardFields.ts'
import { useCall } from '../../data/useCall.ts'
import { type NewForm, newPane } from '../shared/form/declaredForm.tsx'
import { recordHref } from '../shared/projectSubject.ts'
import { Estimate, rewardDrawn } from '../shared/rewardForm.tsx'

/** A new reward of a project, with what it costs and what the project pays with (New reward). */
const form: NewForm<'reward', typeof rewardFields, 'project'> = {
  noun: 'reward',
  fields: rewardFields,
  of: 'project',
  useSpecial(project) {
    const { id, generation, partner_id } = project
    return {
      form: {
        initial: useMemo(() => ({ partner_id: String(partner_id ?? 1) }), [partner_id]),
        saved: () => ({ leads: recordHref(generation, id, 'rewardCenter') }),
        another: ({ partner_id }) => ({ ...textsOf(rewardFields), partner_id }),
      },
      title: `New reward for ${project.name}`,
      links: { Project: recordHref(generation, id), Rewards: recordHref(generation, id, 'catalogue') },
      send: 'Create reward',
      another: 'Create and add another',
      useDrawn: (drawn) => ({
        ...rewardDrawn(drawn),
        beside: (
          <>
            <Estimate completes={project.ordered} amount={drawn.values.amount} />
            <Others id={id} />
          </>
        ),
      }),
    }
  },
}
export const pane = newPane(form)

/** Lists the project's existing rewards. */
function Others({ id }: { id: number }) {
  const { data } = useCall('reward.ofProject', { id })
  if (!data?.data.length) return null
  return (
    <section aria-label="Rewards so far" className="rounded-md border border-line bg-surface px-3 py-2.5">
      <h2 className="text-meta font-medium text-muted">It pays with</h2>
      <ul className="mt-1 flex flex-col gap-0.5">
        {data.data.slice(0, 8).map((reward) => (
          <li key={reward.id} className="flex gap-3">
            <bdi className="min-w-0 truncate">{reward.name}</bdi>
            <span className="ml-auto shrink-0 text-muted tabular-nums">{dollars(reward.amount_cents)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
