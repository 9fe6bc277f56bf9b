-- not yet compiled
-- Lean's Float is binary64, but its conversions from and to Float32 have no definition that a proof could
-- use: a document that needs them has no proof command.

namespace Plumbline

opaque widen : Float32 → Float
opaque narrow : Float → Float32

end Plumbline
