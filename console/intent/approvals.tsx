import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../app/app.tsx';
import type { ApprovalsProps } from './approval-list.tsx';

/** Requests that wait for another person, loaded where the account has such: the page shows everything else before. */
export function Approvals(props: ApprovalsProps) {
  const isOn = useApp().me.approval === true;
  const [Loaded, setLoaded] = useState<FunctionComponent<ApprovalsProps>>();
  useEffect(() => {
    let isThere = true;
    if (isOn) {
      import('./approval-list.tsx').then(
        ({ ApprovalList }) => isThere && setLoaded(() => ApprovalList),
        // The page works without it, and loads it when it is opened again.
        () => undefined,
      );
    }
    return () => {
      isThere = false;
    };
  }, [isOn]);
  return Loaded ? <Loaded {...props} /> : null;
}
