import type { ReactNode } from 'react'
import { count as figure } from '../../contract/format.ts'
import type { Subject } from '../commands/subject.ts'
import type { CommandId } from '../commands/table.ts'
import { Button, type ButtonVariant, IconButton } from '../ui/Button.tsx'
import { CommandIcon } from './icons.tsx'
import { useCommand } from './useCommands.ts'

/**
 * A command as a button; label, shortcut, icon and disabled reason come from the tables. `only` shows just the icon.
 * Acts on its pane's record by default; hidden if the role never sees the command.
 */
export function CommandButton({
  id,
  subjects,
  variant,
  only,
  plain,
  counted,
  children,
  className,
}: {
  id: CommandId
  subjects?: readonly Subject[]
  variant?: ButtonVariant
  only?: 'icon'
  /** Omits the icon. */
  plain?: boolean
  /** Shows after the title how many of several subjects it would act on. */
  counted?: boolean
  /** A label instead of the command's title: "Reward 17". */
  children?: ReactNode
  className?: string
}) {
  const shown = useCommand(id, subjects)
  if (!shown) return null
  const { command, title, keys, reason, able, run } = shown
  const looks = variant ?? (command.danger ? 'danger' : 'default')
  const icon = <CommandIcon name={command.icon} />
  if (only === 'icon') {
    return (
      <IconButton
        label={title}
        kbd={keys}
        reason={reason}
        variant={variant}
        data-command={id}
        className={className}
        onClick={run}
      >
        {icon}
      </IconButton>
    )
  }
  return (
    <Button
      variant={looks}
      kbd={keys ?? undefined}
      reason={reason}
      icon={plain ? undefined : icon}
      data-command={id}
      className={className}
      onClick={run}
    >
      {children ?? (counted && able ? `${title} ${figure(able)}` : title)}
    </Button>
  )
}
