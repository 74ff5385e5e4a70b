import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import type { ApiError } from '../../data/api.ts'
import { configAtom } from '../../data/session.ts'
import { href, type RouteId } from '../../routing/routes.ts'
import { cx } from '../../ui/cx.ts'
import { Mark } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'

/** The frame of every signed-out page: product name, heading, one task and related links. */
export function OutsidePage({
  title,
  lead,
  wide,
  children,
  links = [],
}: {
  title: string
  lead?: ReactNode
  /** Wider, for pages of text. */
  wide?: boolean
  children?: ReactNode
  links?: readonly { to: 'login' | 'forgotPassword' | 'requestAccount' | 'terms'; title: string }[]
}) {
  const { product, support_mail } = useAtomValue(configAtom)
  return (
    <div className="flex min-h-dvh flex-col bg-ground">
      <main className={cx('mx-auto w-full px-6 pt-[14vh] pb-12 max-sm:pt-12', wide ? 'max-w-2xl' : 'max-w-[368px]')}>
        <p className="mb-8 flex items-center gap-2 font-semibold">
          <span aria-hidden="true" className="size-3.5 rounded-sm bg-linear-135 from-accent to-blue" />
          {product}
        </p>
        <h1 className="text-figure">{title}</h1>
        {lead && <div className="mt-1.5 text-muted">{lead}</div>}
        <div className="mt-6">{children}</div>
        {links.length > 0 && (
          <nav aria-label="Other options" className="mt-6 flex flex-wrap gap-x-5 gap-y-1 border-t border-line pt-4 text-meta">
            {links.map(({ to, title: words }) => (
              <PaneLink key={to} to={(href as (id: RouteId) => string)(to)} className="text-accent-ink hover:underline">
                {words}
              </PaneLink>
            ))}
          </nav>
        )}
      </main>
      <footer className="mx-auto mt-auto flex w-full max-w-2xl flex-wrap justify-center gap-x-5 px-6 py-4 text-meta text-faint">
        <PaneLink to={href('terms')} className="hover:text-ink hover:underline">
          Terms and conditions
        </PaneLink>
        {support_mail && (
          <a href={`mailto:${support_mail}`} className="hover:text-ink hover:underline">
            {support_mail}
          </a>
        )}
      </footer>
    </div>
  )
}

/** Shows a server error above a form's button. */
export function FormError({ error, children }: { error: ApiError | null; children?: ReactNode }) {
  if (!error) return null
  return (
    <p role="alert" className="flex items-baseline gap-2 rounded-md bg-red-wash px-3 py-2 text-red-ink">
      <Mark shape="cross" />
      <span>{children ?? error.message}</span>
    </p>
  )
}

/** Replaces a form after it succeeded. */
export function FormSuccess({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="flex items-baseline gap-2 rounded-md bg-green-wash px-3 py-2 text-green-ink">
      <Mark shape="tick" />
      <span>{children}</span>
    </p>
  )
}
