import { useAtomValue } from 'jotai'
import { type CommandId, commandOf } from '../commands/table.ts'
import { preferencesAtom } from '../data/preferences.ts'
import { configAtom, meAtom } from '../data/session.ts'
import { href } from '../routing/routes.ts'
import { CommandIcon } from '../runner/icons.tsx'
import { start } from '../runner/lazyRunner.ts'
import { shortcutsAtom } from '../runner/shortcuts.ts'
import { Menu } from '../ui/Menu.tsx'
import type { MenuItem } from '../ui/menuItem.ts'
import { openPath } from '../workspace/navigation.ts'
import { Part } from '../workspace/Part.tsx'
import { Bell } from './Bell.tsx'

/** Returns the first letter of each name, ignoring combining and direction marks. */
const initialsOf = (...names: string[]): string =>
  names
    .map((name) => [...name].find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? '')
    .join('')
    .toUpperCase() || '?'

/** The bell and the menu of the signed-in user, each of which may fail alone. */
export function PersonalEnd() {
  return (
    <>
      <Part name="The bell">
        <Bell />
      </Part>
      <Part name="Your menu">
        <Person />
      </Part>
    </>
  )
}

function Person() {
  const me = useAtomValue(meAtom)
  const { support_mail } = useAtomValue(configAtom)
  const shortcuts = useAtomValue(shortcutsAtom)
  const { theme } = useAtomValue(preferencesAtom)
  if (!me) return null
  const initials = initialsOf(me.first_name, me.last_name)
  const body = encodeURIComponent(`\n\n${me.first_name} ${me.last_name}`)
  const line = (id: CommandId): MenuItem => {
    const { title, icon } = commandOf(id)
    return {
      id,
      label: title,
      icon: <CommandIcon name={icon} />,
      kbd: shortcuts[id],
      onSelect: () => start(id, { via: 'menu' }),
    }
  }
  return (
    <Menu
      label="You"
      trigger={
        <button
          type="button"
          aria-label={`${initials} ${me.first_name} ${me.last_name}: your menu`}
          className="size-7 shrink-0 rounded-full bg-accent-wash text-meta font-semibold text-accent-ink"
        >
          {initials}
        </button>
      }
      items={[
        {
          id: 'account',
          label: 'Account settings',
          icon: <CommandIcon name="settings" />,
          onSelect: () => openPath(href('account'), 'pinned'),
        },
        {
          id: 'support',
          label: 'Contact support',
          icon: <CommandIcon name="mail" />,
          onSelect: () => location.assign(`mailto:${support_mail}?subject=Support&body=${body}`),
        },
        null,
        ...(['system', 'light', 'dark'] as const).map((is) => ({ ...line(`theme.${is}`), checked: theme === is, one: true })),
        line('help.keys'),
        null,
        { ...line('session.signOut'), label: `${commandOf('session.signOut').title} ${me.email}` },
      ]}
    />
  )
}
