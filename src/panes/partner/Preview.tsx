import { projectPath } from '../../../contract/pages.ts'
import type { PartnerSession } from '../../data/partnerSession.ts'
import { Mark } from '../../ui/Pill.tsx'

/** Tells an administrator that this is the partner's page. */
export function Preview({ visit, partner }: { visit: PartnerSession; partner: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-accent-ink">
      <span className="flex items-baseline gap-2">
        <Mark shape="ring" />
        <span>
          You see what <b className="font-semibold">{partner}</b> sees
        </span>
      </span>
      <a
        href={projectPath(visit.id)}
        className="inline-flex min-h-11 items-center underline underline-offset-2 sm:ml-auto sm:min-h-6"
      >
        Open the project
      </a>
    </p>
  )
}
