const COUNT = 6;

/** Where rows are about to be. */
export function Skeletons() {
  return (
    <div aria-hidden="true">
      {Array.from({ length: COUNT }, (_, index) => (
        <div key={index} className="skeleton" />
      ))}
    </div>
  );
}
