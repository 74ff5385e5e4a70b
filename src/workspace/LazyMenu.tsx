import { type ComponentProps, cloneElement, type ReactElement, useState } from 'react'
import type { Menu as MenuType } from '../ui/Menu.tsx'

type Trigger = ReactElement<{ onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>
const load = () => import('../ui/Menu.tsx')

/** A menu that loads when it is first opened: menus have no part in the first load. */
export function LazyMenu({
  trigger,
  ...rest
}: Omit<ComponentProps<typeof MenuType>, 'trigger' | 'open' | 'onOpenChange'> & { trigger: Trigger }) {
  const [menu, setMenu] = useState<{ Menu: typeof MenuType } | null>(null)
  const [open, setOpen] = useState(false)
  if (menu) return <menu.Menu trigger={trigger} {...rest} open={open} onOpenChange={setOpen} />
  const first = () =>
    void load().then((loaded) => {
      setMenu({ Menu: loaded.Menu })
      setOpen(true)
    })
  return cloneElement(trigger, { onClick: first, 'aria-haspopup': 'menu', 'aria-expanded': false })
}
