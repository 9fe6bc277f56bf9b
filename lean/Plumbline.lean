-- Every name that a method document uses besides Lean's own. Not checked by Lean yet: see README.md.
import Plumbline.Scalar
import Plumbline.Fold
import Plumbline.Cuda
import Plumbline.Opaque
import Plumbline.Binary64
import Plumbline.Float32
