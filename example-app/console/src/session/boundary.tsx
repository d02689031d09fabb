import { Component, type ReactNode } from "react";
import { Unreachable } from "./unreachable.js";

interface BoundaryProps {
  children: ReactNode;
}

interface BoundaryState {
  error?: Error;
}

/** Tells what failed outside of every page, such as to load the page to sign in. Without it the window would stay white. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Unreachable
        error={error}
        onRetry={() => {
          window.location.reload();
        }}
      />
    );
  }
}
