import * as Radix from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { Kbd } from './Kbd.tsx'

/** A tooltip on hover and focus. Never the only place for a piece of information. */
export function Tooltip({ content, kbd, children }: { content: ReactNode; kbd?: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={100}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="floats z-50 flex max-w-72 items-center gap-2 rounded-md border border-edge bg-raised px-2 py-1 text-meta text-ink shadow-float"
          >
            {content}
            {kbd && <Kbd keys={kbd} />}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
