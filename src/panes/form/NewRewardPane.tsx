import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { textsOf } from '../../../contract/fieldKinds.ts'
import { dollars } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { rewardFields } from '../../../contract/rewardFields.ts'
import { useCall } from '../../data/useCall.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { Estimate, RewardForm } from '../shared/rewardForm.tsx'
import { StatusPill } from '../shared/StatusPill.tsx'
import { OfProject } from './OfProject.tsx'

type Project = Output<'project.get'>['data']

/** Adds a reward to a project (screens-people-places-rewards.md, New reward). */
export default function NewRewardPane({ params }: PaneProps) {
  return <OfProject id={Number(params.id)}>{(project) => <NewReward key={project.id} project={project} />}</OfProject>
}

function NewReward({ project }: { project: Project }) {
  const initial = useMemo(() => ({ partner_id: String(project.partner_id ?? 1) }), [project.partner_id])
  const form = useFieldForm('reward', rewardFields, {
    of: project.id,
    initial,
    more: { project_id: project.id },
    saved: () => ({ leads: recordHref(project.generation, project.id, 'rewardCenter') }),
    another: ({ partner_id }) => ({ ...textsOf(rewardFields), partner_id }),
  })
  return (
    <RewardForm
      form={form}
      title={`New reward for ${project.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('project', project.id)}</span>
          <StatusPill stored={project.stored_status} shown={project.status_shown} />
          <PaneLink to={recordHref(project.generation, project.id)} className="text-accent-ink hover:underline">
            Project
          </PaneLink>
          <PaneLink to={recordHref(project.generation, project.id, 'catalogue')} className="text-accent-ink hover:underline">
            Rewards
          </PaneLink>
        </p>
      }
      send="Create reward"
      another="Create and add another"
      beside={
        <>
          <Estimate completes={project.ordered} amount={form.values.amount} />
          <Others project={project} />
        </>
      }
    />
  )
}

/** Lists the project's existing rewards. */
function Others({ project }: { project: Project }) {
  const { data } = useCall('reward.ofProject', { id: project.id })
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
