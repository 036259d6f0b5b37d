import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../app/app.tsx';
import type { ApprovalsProps } from './approval-list.tsx';

/** Requests that wait for another person. The component is loaded only if the account uses approvals. */
export function Approvals(props: ApprovalsProps) {
  const isOn = useApp().me.approval === true;
  const [Loaded, setLoaded] = useState<FunctionComponent<ApprovalsProps>>();
  useEffect(() => {
    let isThere = true;
    if (isOn) {
      import('./approval-list.tsx').then(
        ({ ApprovalList }) => isThere && setLoaded(() => ApprovalList),
        // The page works without the component, and loads it when it is opened again.
        () => undefined,
      );
    }
    return () => {
      isThere = false;
    };
  }, [isOn]);
  return Loaded ? <Loaded {...props} /> : null;
}
