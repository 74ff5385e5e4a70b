import { ScreenPanel, ScreenTabs } from '../../shell/ScreenTabs.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { InviteForm } from './InviteForm.tsx'
import { OF_ROLE, UserList } from './UserList.tsx'

/** Tabs for administrators, client users and invitations, plus the two v1 lists of all users (people-area 2). */
export default function UsersPane({ tab }: PaneProps) {
  const { route } = usePane()
  if (!tab)
    return (
      <div className="@container h-full">
        <UserList title={route === 'v3Users' ? 'v3 users' : 'All users'} />
      </div>
    )
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <header className="shrink-0">
        <h1 className="px-4 pt-3 pb-2 text-head">Users</h1>
        <ScreenTabs label="Users" />
      </header>
      <ScreenPanel className="min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        {tab === 'adminUsers' && <UserList key="admin" only={OF_ROLE.admin} title="Admin users" embedded />}
        {tab === 'clientUsers' && <UserList key="client" only={OF_ROLE.client} title="Client users" embedded />}
        {tab === 'invite' && <InviteForm />}
      </ScreenPanel>
    </div>
  )
}
